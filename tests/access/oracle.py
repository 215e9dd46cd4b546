"""The deck that is wanted from whatever secret. How a deck follows from its secret is chance to whoever does not know it; here that chance
comes out as it should, so that two secrets can bring decks which a reader cannot tell apart (Bellare and Rogaway, 1993).
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TypeAlias
from unittest.mock import patch

from domain import shuffling

Order: TypeAlias = Sequence[str]

_BLOCK = 32  # bytes of HMAC-SHA-256


class Oracle:
    """To be asked instead of ``shuffling.mac``: HMAC-SHA-256, but for the words that follow from the seeds of some secrets."""

    def __init__(self) -> None:
        self._mac = shuffling.mac
        self._of_secrets: dict[bytes, bytes] = {}
        self._of_seeds: dict[bytes, bytes] = {}

    def want(self, secret: bytes, cards: Order, deck: Order) -> None:
        """From this secret, whatever else goes into its seed, the cards are shuffled to this deck."""
        self._of_secrets[secret] = words_for(cards, deck)

    def __call__(self, key: bytes, message: bytes) -> bytes:
        if key in self._of_seeds:
            start = int.from_bytes(message, "big") * _BLOCK
            return self._of_seeds[key][start : start + _BLOCK]
        made = self._mac(key, message)
        if key in self._of_secrets:
            self._of_seeds[made] = self._of_secrets[key]
        return made


def words_for(cards: Order, deck: Order) -> bytes:
    """The words by which the shuffle of docs/fair-shuffling.md makes the deck of the cards."""
    lying, words = list(cards), []
    for last in range(len(lying) - 1, 0, -1):
        word = lying.index(deck[last], 0, last + 1)
        lying[last], lying[word] = lying[word], lying[last]
        words.append(word.to_bytes(2, "big"))
    return b"".join(words)


@contextmanager
def programmed() -> Iterator[Oracle]:
    """Decks follow from secrets as it says."""
    oracle = Oracle()
    with patch.object(shuffling, "mac", oracle):
        yield oracle
