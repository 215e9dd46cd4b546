"""A game whose decks nobody chose, as it grows by what devices, dice and the service give."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from domain.cards import Seat
from domain.dealing import after_events, begin, deal_if_ready, join, open_chance, reveal, type_dice
from domain.errors import Refused
from domain.events import Event
from domain.opening import opening
from domain.shuffling import commitment_to_chance, commitment_to_secret, name_of_seat
from tests.domain.recorded import GrowingGame, RealGame

DICE = "6 3 1 1 5 2 4 6"


def secret_of(number: int) -> bytes:
    return number.to_bytes(32, "big")


def chance_of(seat: Seat, number: int = 0) -> bytes:
    return bytes([number, seat, *range(14)])


class FairGame(RealGame):
    """``secrets`` is the register. What is due to be told follows with every event, as it does where commands record.

    ``settings`` are the options of the rules, ``more`` is what else is told when it is opened.
    """

    def __init__(
        self, key: str = "casino", seats: int = 2, seed: int = 1, settings: Mapping[str, Any] = MappingProxyType({}), **more: Any
    ) -> None:
        super().__init__(key, dict(settings), seats, seed=seed)
        self.secrets: dict[str, bytes] = {}
        GrowingGame.__init__(self, opening(self.ruleset, dict(settings), seats, shuffle="fair", **more))

    def give(self, *events: Event) -> None:
        self.add(*events, *reveal(after_events(self.game, events), self.secrets.get))

    def begin(self, dice: int = 0, dealer: Seat | None = None, secret: bytes | None = None) -> None:
        secret = secret or secret_of(len(self.secrets) + 1)
        commitment = commitment_to_secret(secret).hex()
        self.secrets[commitment] = secret
        self.give(begin(self.game, self.rulebook, self.next_dealer if dealer is None else dealer, commitment, dice))

    @property
    def next_dealer(self) -> Seat:
        """Whoever may deal now."""
        return next(seat for seat in range(self.game.setup.seats) if _may_deal(self, seat))

    def join(self, *seats: Seat) -> None:
        for seat in seats:
            self.give(join(self.game, seat, commitment_to_chance(name_of_seat(seat), self.chance_of(seat)).hex()))

    def open(self, *seats: Seat) -> None:
        for seat in seats:
            self._give(open_chance(self.game, seat, self.chance_of(seat).hex()))

    def chance_of(self, seat: Seat) -> bytes:
        """What its device has drawn."""
        return chance_of(seat)

    def throw(self, dice: str = DICE) -> None:
        self._give(type_dice(self.game, dice))

    def fair_hand(self) -> None:
        """Dealt and played."""
        self.begin(dice=8)
        self.join(*range(self.game.setup.seats))
        self.open(*range(self.game.setup.seats))
        self.throw()
        self.play()

    def play(self, moves: int = 10_000) -> None:
        super().play(moves)
        self.give()

    def _give(self, event: Any) -> None:
        self.give(*deal_if_ready(self.game, event, self.rulebook, self.ruleset.edition, self.secrets.get))


def _may_deal(game: FairGame, seat: Seat) -> bool:
    try:
        game.rulebook.deal(game.table, seat, game.rulebook.deck)
    except Refused:
        return False
    return True
