"""The smallest game that has all a game can have: hidden cards, copies, turns, hands, points, options, refusals.

Two seats hold two cards each; each lays one in turn, openly; the higher card wins the hand. ``hands`` hands are a game.
"""

from collections.abc import Iterator, Sequence
from typing import Annotated, Any

from msgspec import UNSET, Meta, Struct

from domain.cards import HIDDEN, Card, Seat
from domain.checks import check_cards, check_dealer, check_start, check_turn, read_move, read_options
from domain.effects import CardsMoved, Effects, GameClosed, HandClosed, HandOpened, Scored, TurnPassed, ZoneAdded
from domain.errors import Refused
from domain.notation.card_names import CardNames
from domain.notation.syntax import Notation
from domain.reporting import effects_of_report, read_result
from domain.rules import NOTHING_TOLD, About, Codes, KnownFaces, Move, StopEffects, common_view
from domain.score import Sheet, places_by, totals
from domain.setup import Setup
from domain.signs import Signs
from domain.table import Draft, Table

DECK: tuple[Card, ...] = ("1", "2", "2", "3")
CODES: Codes = {
    "bad_option": ("COM-10",),
    "bad_seats": ("COM-11",),
    "game_over": ("COM-13", "COM-23"),
    "hand_in_progress": ("COM-14",),
    "bad_dealer": ("COM-15",),
    "bad_deck": ("COM-16",),
    "malformed_move": ("COM-20", "COM-22"),
    "unknown_move": ("COM-21",),
    "hand_over": ("COM-24",),
    "not_your_turn": ("COM-25", "TOY-2"),
    "card_not_in_hand": ("TOY-1",),
}


SIGNS = Signs(("lay",), {("board", "m"): int, ("board", "count"): int | tuple[int, ...], (None, "word"): str})
"""The game itself makes no mark; officials may."""


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    hands: Annotated[int, Meta(ge=1, le=9)] = 1


class Lay(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="lay"):
    card: str


class Toy(Struct, frozen=True):
    setup: Setup
    hands: int
    deck: tuple[Card, ...] = DECK
    signs: Signs = SIGNS
    card_names: CardNames = CardNames(codes=frozenset(DECK))
    notation: Notation | None = None

    def with_codes(self, move: object) -> object:
        return move

    def deal(self, table: Table, dealer: object, deck: object, known: object = UNSET) -> Effects:
        seat, cards = check_start(table, dealer, deck, DECK, CODES)
        first = 1 - seat
        return (
            HandOpened(table.hand + 1, seat),
            ZoneAdded("stock", "none", None, cards[::-1]),
            ZoneAdded("hand:0", "owner", 0),
            ZoneAdded("hand:1", "owner", 1),
            ZoneAdded("board", "all", None),
            *(CardsMoved((card,), "stock", f"hand:{(first + number) % 2}") for number, card in enumerate(cards)),
            TurnPassed("lay", first, (first,)),
        )

    def group_known_cards(self, table: Table, dealer: Seat, deck: Sequence[Card]) -> dict[str, tuple[Card, ...]]:
        """Whoever plays this game sees every card."""
        return {}

    def report(self, table: Table, dealer: object, result: object) -> Effects:
        seat = check_dealer(table, dealer, CODES)
        draft = Draft(table)
        draft.emit(*effects_of_report(self.setup, table.hand + 1, seat, read_result(result, self.setup, CODES), None))
        self._end(draft)
        return tuple(draft.effects)

    def resolve(self, table: Table, seat: object, move: object, told: KnownFaces = NOTHING_TOLD) -> Effects:
        card = self._read_card(move)
        mover = check_turn(table, seat, CODES)
        if card not in table.cards(f"hand:{mover}"):
            raise Refused("card_not_in_hand", "TOY-1", card=card)
        return self.resolve_without_checks(table, mover, move)

    def _read_card(self, move: object) -> Card:
        card: Card = read_move(move, {"lay": Lay}, CODES).card
        check_cards((card,), frozenset(DECK), CODES)
        return card

    def resolve_without_checks(self, table: Table, seat: Seat, move: object) -> Effects:
        mover, card, draft = seat, self._read_card(move), Draft(table)
        draft.emit(CardsMoved((card,), f"hand:{mover}", "board", shown=True))
        if len(draft.table.cards("board")) == 1:
            draft.emit(TurnPassed("lay", 1 - mover, (1 - mover,)))
        else:
            self._close(draft, mover)
        return tuple(draft.effects)

    def stop(self, table: Table) -> StopEffects:
        """A hand that is stopped scores nothing, but counts as one of the hands."""
        draft = Draft(table)
        draft.emit(HandClosed("stopped", {}))
        self._end(draft)
        return StopEffects(tuple(draft.effects), counts=True)

    def tell(self, table: Table, known: object, worth: object = UNSET) -> Effects:
        """Whoever plays this game sees every card."""
        raise Refused("card_impossible", "COM-71")

    def _close(self, draft: Draft, mover: Seat) -> None:
        first, second = draft.table.cards("board")
        winner = mover if second > first else 1 - mover
        draft.emit(Scored("won", (int(winner == 0), int(winner == 1))), HandClosed("played", {}))
        self._end(draft)

    def _end(self, draft: Draft) -> None:
        if draft.table.hand == self.hands:
            draft.emit(GameClosed(places_by(totals(self.setup, draft.table.score)), {}))

    def legal(self, table: Table, seat: Seat) -> Iterator[Move]:
        if seat in table.to_act:
            for card in sorted(set(table.cards(f"hand:{seat}")) - {HIDDEN}):
                yield {"type": "lay", "card": card}

    def view(self, table: Table) -> dict[str, Any]:
        hands = [table.cards(f"hand:{seat}") for seat in range(2)]
        return {**common_view(table), "hands": hands, "hand_counts": [len(hand) for hand in hands], "board": table.cards("board")}

    @property
    def types(self) -> tuple[str, ...]:
        return ("lay",)

    def list_named_cards(self, move: Move) -> tuple[Card, ...]:
        return (read_move(move, {"lay": Lay}, CODES).card,)

    def closing(self, sheet: Sheet) -> GameClosed | None:
        return None

    def places(self, sheet: Sheet) -> tuple[int | None, ...]:
        return places_by(sheet.totals)


class ToyRuleset(Struct, frozen=True):
    key: str = "toy"
    edition: int = 3

    def bind(self, options: object, seats: object) -> Toy:
        hands = read_options(options, Options, CODES).hands
        if type(seats) is not int or seats != 2:
            raise Refused("bad_seats", "COM-11", seats=seats)
        return Toy(Setup("toy", {"hands": hands}, 2, ((0,), (1,)), ("won",), (0, 0)), hands)

    def about(self, language: str = "en") -> About:
        return About({"en": "Toy"}, {}, {}, (), dict(CODES), DECK)

    def sentence(self, refused: Refused, language: str) -> str:
        return f"{language}: {refused.code} ({', '.join(refused.rules)})"


TOY = ToyRuleset()
