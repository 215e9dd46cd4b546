"""Games whose decks nobody chose, as chance plays them: who gives, how much and in which order, and what becomes of it: a try that is
given up, a deal that a ruling takes back.
"""

from random import Random
from typing import Self

from domain.cards import Seat
from domain.events.game import DisputeRuled
from domain.ruling import Order
from domain.shuffling import CHANCE_LENGTH, LEAST_DICE, MOST_DICE
from tests.domain.fair import FairGame
from tests.domain.games.setups import SetUp

_HANDS = 2


class ChanceGame(FairGame):
    def __init__(self, key: str, set_up: SetUp, seed: str) -> None:
        self.giving, self.drawn = Random(seed), dict[Seat, bytes]()
        openness = self.giving.choice(("hand_over", "game_over", "never"))
        super().__init__(key, set_up.seats, self.giving.getrandbits(32), set_up.options, openness=openness)

    def played(self) -> Self:
        for _ in range(_HANDS):
            if self.table.phase != "game_over":
                self._hand()
        return self

    def draw_secret(self) -> bytes:
        return self.giving.randbytes(32)

    def chance_of(self, seat: Seat) -> bytes:
        return self.drawn[seat]

    def _hand(self) -> None:
        before = self.game.position
        if self.giving.random() < 0.5:
            self._try(held_up=True)
        self._try()
        if self.giving.random() < 0.5:
            self.play(self.giving.randrange(5))
            self.rule(DisputeRuled(0, None, "arbiter", "rewind", None), Order(to=before, restored=self.at(before)))
            self.give()
            self._try()
        self.play()

    def _try(self, *, held_up: bool = False) -> None:
        """``held_up``: by a seat that joins and does not open."""
        joining = self.giving.sample(range(self.game.setup.seats), self.giving.randint(int(held_up), self.game.setup.seats))
        dice = self.giving.randint(LEAST_DICE, MOST_DICE) if not joining or self.giving.random() < 0.5 else 0
        self.drawn = {seat: self.giving.randbytes(CHANCE_LENGTH) for seat in joining}
        self.begin(dice, secret=self.draw_secret())
        self.join(*joining)
        self.open(*self.giving.sample(joining, len(joining) - held_up))
        if dice and not held_up:
            self.throw(" ".join(str(self.giving.randint(1, 6)) for _ in range(dice)))
