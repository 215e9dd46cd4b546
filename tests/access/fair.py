"""Twins whose decks nobody chose: a try that a seat held up, a deal that a ruling took back, and the one that is played.

All that comes from the service's secrets and from a chance that its device kept to itself is another in the other twin.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import Literal, TypeAlias
from uuid import UUID

from domain.access import Grant, OfGame
from domain.events.game import HandDealt
from domain.events.shuffles import ShuffleRevealed
from domain.shuffling import commitment_to_chance, commitment_to_secret, format_commitment, name_of_seat
from tests.access.house import SPRING, Evening, House
from tests.access.interference import differences
from tests.access.oracle import Oracle, programmed
from tests.access.twins import Twins, twins
from tests.domain.fair import DICE, chance_of

Stage: TypeAlias = Literal["in hand", "over", "open"]
"""How far it has come: the hand is played; it has ended, and its secret is recorded but not told; it has ended, and everybody is told."""

_OPENNESS: Mapping[Stage, str] = {"in hand": "hand_over", "over": "never", "open": "game_over"}
_LONGEST = 5  # steps of a hand


def fair_differences(
    key: str,
    stage: Stage,
    folder: Path,
    chance: Random,
    share: float = 1.0,
    followers: Sequence[str] = (),
    asked: slice = slice(None),
) -> Iterator[str]:
    """Of a random pair of games of the ruleset. Where all is open to everybody, no card lies otherwise."""
    found = twins(key, chance, "alike" if stage == "open" else "shuffled", longest=_LONGEST)
    with programmed() as oracle:
        yield from differences(found, folder, chance, share, partial(FairTwin, stage, Random(f"{stage} secrets"), oracle), followers, asked)


class FairTwin(Evening):
    """``chance`` is what services and devices draw from, in both twins one after the other."""

    def __init__(
        self, stage: Stage, chance: Random, oracle: Oracle, house: House, one: Twins, deck: tuple[str, ...], followers: Sequence[str]
    ) -> None:
        self.stage, self.chance, self.oracle = stage, chance, oracle
        self.wanted = {"shuffle": "fair", "openness": _OPENNESS[stage]}
        self.secrets: list[bytes] = []
        self.blind: dict[str, str] = {}
        """What has to be another in the other twin, and what stands for it: a word of the same length."""
        super().__init__(house, one, deck, followers)

    def blinded(self, told: object) -> str:
        text = repr(told)
        for differing, word in self.blind.items():
            text = text.replace(differing, word)
        return text

    def _let_everybody_in(self) -> None:
        super()._let_everybody_in()
        for seat in range(self.seats):
            self.house.let_in(f"device {seat}", "player", Grant(OfGame(UUID(self.game), SPRING, 1, "1"), seat=seat))

    def _record(self) -> None:
        super()._record()
        if self.stage != "in hand":
            self._heard()
            self.house.did("director", f"/v1/games/{self.game}/abandonment", {"reason": "The lamp went out."})
        tries = self.house.ask("viewer", "GET", self._shuffles).json()["shuffles"]
        due = [secret.hex() if secret in self.told else None for secret in self.secrets]
        assert [one["secret"] for one in tries] == due, "other secrets are told than those that are due"
        for number, secret in enumerate(self.told):
            self._blind(secret.hex(), f"secret {number}")
        self._blind_links()

    @property
    def told(self) -> list[bytes]:
        """The secrets that everybody is told: where hands open when they are over, that of a try which dealt none; and where all is open,
        all."""
        return {"in hand": self.secrets[:1], "over": [], "open": self.secrets}[self.stage]

    def _blind_links(self) -> None:
        """Each is a digest of what came before: those that cover nothing but what everybody is told whole."""
        for recorded in self.house.services.journal.history(UUID(self.game)):
            self._blind(recorded.link or "", f"link of {recorded.position}")
            event = recorded.event
            shut = isinstance(event, ShuffleRevealed) and bytes.fromhex(event.secret or "") not in self.told
            if shut or (isinstance(event, HandDealt) and self.stage != "open"):
                return

    def _deal(self, dealer: int) -> None:
        who = self.twins.eyes.who
        assert isinstance(who, int)
        silent = who if self.stage == "over" else (who + 1) % self.seats  # the reader gives, or holds up and goes without
        givers = [seat for seat in range(self.seats) if seat != silent]
        self._begin(dealer)
        kept = self.chance.randbytes(16)
        self._blind(self._join(silent, kept), "commitment of the silent one")
        for seat in givers:
            self._join(seat, chance_of(seat))
        self._open(givers)
        before = self._position()
        self._begin_and_deal(dealer, givers)
        self._heard()
        ruling = {"decision": "rewind", "to": before, "reason": "A card was shown."}
        self.house.did("arbiter", f"/v1/games/{self.game}/rulings", ruling)
        self._heard()
        self._begin_and_deal(dealer, givers)

    def _begin_and_deal(self, dealer: int, givers: list[int]) -> None:
        self._begin(dealer)
        for seat in givers:
            self._join(seat, chance_of(seat))
        self._open(givers)
        self.house.did("recorder", f"{self._shuffles}/dice", {"dice": DICE})

    @property
    def _shuffles(self) -> str:
        return f"/v1/games/{self.game}/shuffles"

    def _begin(self, dealer: int) -> None:
        secret, number = self.chance.randbytes(32), len(self.secrets)
        self.secrets.append(secret)
        self.oracle.want(secret, self.twins.playout.rulebook.deck, self.deck)
        commitment = commitment_to_secret(secret)
        self._blind(commitment.hex(), f"commitment {number}")
        self._blind(format_commitment(commitment), f"digits {number}")
        self.house.did_by_secret("recorder", self._shuffles, {"dealer": dealer, "dice": 8}, secret)

    def _join(self, seat: int, chance: bytes) -> str:
        commitment = commitment_to_chance(name_of_seat(seat), chance).hex()
        self.house.did(f"device {seat}", f"{self._shuffles}/joining", {"commitment": commitment})
        return commitment

    def _open(self, seats: list[int]) -> None:
        for seat in seats:
            self.house.did(f"device {seat}", f"{self._shuffles}/opening", {"chance": chance_of(seat).hex()})

    def _blind(self, differing: str, word: str) -> None:
        if differing:
            self.blind[differing] = word.ljust(len(differing), ".")
