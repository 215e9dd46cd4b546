"""Positions of Canasta laid out by hand, so that a test shows at a glance what lies where."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from domain.effects import DetailAnnounced, Effect, Effects, HandOpened, MarkSet, Plain, TurnPassed, ZoneAdded
from domain.errors import Refused
from domain.games import RULESETS
from domain.rules import Rulebook
from domain.table import Table, fold
from tests.domain.games.positions import PlayedPosition, cards, dealt_by

CANASTA = RULESETS["canasta"]
DECK = CANASTA.about().deck


def groups(text: str) -> list[dict[str, object]]:
    """``"7: 7S 7H JK, K: KD"`` as a move names groups."""
    parts = (group.split(":") for group in text.split(",") if group.strip())
    return [{"rank": rank.strip(), "cards": list(cards(named))} for rank, named in parts]


class Position(PlayedPosition):
    """A table in the middle of a hand. Every seat that has no hand named holds a ten."""

    def __init__(
        self,
        *hands: str,
        melds: Mapping[int, str] | None = None,
        pile: str = "4D",
        stock: str = "5D 6D 8D",
        red: Mapping[int, str] | None = None,
        options: dict[str, object] | None = None,
        seats: int = 4,
        turn: int = 0,
        phase: str = "play",
        minimums: tuple[int, int] = (50, 50),
        marks: Mapping[str, Plain] | None = None,
        pile_marks: Mapping[str, Plain] | None = None,
        hand: int = 1,
    ) -> None:
        """``melds`` are those of a party, as in ``"K: KS KH 2D, 7: 7S 7H 7D"``; the top of the pile is its last card."""
        self.rulebook: Rulebook = CANASTA.bind(options or {}, seats)
        effects: list[Effect] = [HandOpened(hand, seats - 1), ZoneAdded("stock", "none", None, cards(stock)[::-1])]
        for seat, held in enumerate((*hands, *["TC"] * seats)[:seats]):
            effects.append(ZoneAdded(f"hand:{seat}", "owner", seat, cards(held)))
        small = sum(card not in ("3H", "3D") for card in cards(pile)) <= 2
        effects.append(ZoneAdded("pile", "all" if small else "top", None, cards(pile)))
        effects += [MarkSet(mark, value, "pile") for mark, value in (pile_marks or {}).items()]
        for party in (0, 1):
            effects.append(ZoneAdded(f"red:{party}", "all", None, cards((red or {}).get(party, ""))))
            for group in (melds or {}).get(party, "").split(","):
                if group.strip():
                    rank, lying = group.split(":")
                    effects.append(ZoneAdded(f"meld:{party}:{rank.strip()}", "all", None, cards(lying)))
        effects.append(MarkSet("minimums", minimums))
        effects += [MarkSet(mark, value) for mark, value in (marks or {}).items()]
        effects.append(TurnPassed(phase, turn, (turn,)))
        self.table: Table = fold(Table(self.rulebook.setup), effects)

    @property
    def seat(self) -> int:
        return self.table.to_act[0]

    def play(self, type_: str, seat: int | None = None, **fields: Any) -> Effects:
        """Plays a move and answers its effects; the position goes on from there."""
        return self.go({"type": type_, **fields}, seat)

    def lay(self, text: str) -> Effects:
        return self.play("meld", melds=groups(text))

    def take(self, rank: str, named: str = "", melds: str = "") -> Effects:
        return self.play("take", rank=rank, cards=list(cards(named)), melds=groups(melds))

    def judge(self, move: object, seat: object = None) -> Effects:
        return self.rulebook.resolve(self.table, self.seat if seat is None else seat, move)

    def refusal(self, type_: str, **fields: Any) -> tuple[str, ...]:
        """Code and rules of the refusal of a move by the seat that is to act."""
        return refusal_of(lambda: self.judge({"type": type_, **fields}))

    def laying_refused(self, text: str) -> tuple[str, ...]:
        return self.refusal("meld", melds=groups(text))

    def taking_refused(self, rank: str, named: str = "", melds: str = "") -> tuple[str, ...]:
        return self.refusal("take", rank=rank, cards=list(cards(named)), melds=groups(melds))

    def held(self, seat: int) -> str:
        hand: Sequence[str] = self.view["hands"][seat]
        return " ".join(hand)

    def melds(self, party: int) -> dict[str, str]:
        return {rank: " ".join(meld["cards"]) for rank, meld in self.view["melds"][party].items()}


def refusal_of(call: Callable[[], object]) -> tuple[str, ...]:
    """The code of a refusal and the rules it cites."""
    try:
        call()
    except Refused as refused:
        return refused.code, *refused.rules
    raise AssertionError("nothing was refused")


def dealt(seats: int, dealer: int, first: str = "", options: dict[str, object] | None = None) -> tuple[Rulebook, Table, Effects]:
    """A fresh hand from a deck that begins with the cards named and goes on in canonical order."""
    return dealt_by(CANASTA, seats, dealer, first, options)


def said(effects: Effects, what: str) -> list[object]:
    return [effect.value for effect in effects if isinstance(effect, DetailAnnounced) and effect.what == what]


SEVEN_KINGS = "K: KS KS KH KH KD KD KC"
"""A natural canasta."""

SIX_KINGS = "K: KS KS KH KH KD KD"
