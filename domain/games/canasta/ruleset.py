"""Canasta as the rest of Kiebitz sees it: the ruleset, and the rulebook with options and seats."""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from domain.cards import Card, Seat
from domain.effects import Effects
from domain.errors import Refused
from domain.games.canasta.cards import DECK
from domain.games.canasta.checks import check
from domain.games.canasta.codes import CODES
from domain.games.canasta.deal import open_hand
from domain.games.canasta.legal import legal_moves
from domain.games.canasta.moves import MOVES, AnyMove, named_cards
from domain.games.canasta.options import Options, effective, setup
from domain.games.canasta.play import play
from domain.games.canasta.table import CanastaTable
from domain.games.canasta.view import view
from domain.rules import About, Move, Rulebook, check_cards, check_start, check_turn, described, in_words, next_dealer, read_move
from domain.score import Sheet, places_by
from domain.setup import Setup
from domain.table import Draft, Table

PACKAGE = __package__ or ""
_KNOWN = frozenset(DECK)


class CanastaRulebook(Struct, frozen=True):
    """The rules of one game. Pure."""

    options: Options
    setup: Setup
    deck: tuple[Card, ...] = DECK

    def deal(self, table: Table, dealer: object, deck: object) -> Effects:
        """The start of a hand (CAN-6 to CAN-10)."""
        seat, cards = check_start(table, dealer, deck, self.deck, CODES, next_dealer(table))
        draft = Draft(table)
        open_hand(draft, seat, cards)
        return tuple(draft.effects)

    def resolve(self, table: Table, seat: object, move: object) -> Effects:
        """A move, judged in the order of COM-20 to COM-25 and then of CAN-52."""
        read: AnyMove = read_move(move, MOVES, CODES)
        check_cards(named_cards(read), _KNOWN, CODES)
        mover = check_turn(table, seat, CODES)
        check(self.options, CanastaTable(table), mover, read)
        draft = Draft(table)
        play(draft, self.options, mover, read)
        return tuple(draft.effects)

    def legal(self, table: Table, seat: Seat) -> Iterator[Move]:
        """Every distinct move of the seat; none if it is not to act."""
        return legal_moves(self.options, CanastaTable(table), seat) if table.may_act(seat) else iter(())

    def view(self, table: Table) -> dict[str, Any]:
        return view(table)

    def places(self, sheet: Sheet) -> tuple[int | None, ...]:
        """By the totals (CAN-48)."""
        return places_by(sheet.totals)


class CanastaRuleset(Struct, frozen=True):
    key: str = "canasta"
    edition: int = 1

    def bind(self, options: object, seats: object) -> Rulebook:
        chosen, number = effective(options, seats)
        return CanastaRulebook(chosen, setup(chosen, number))

    def about(self) -> About:
        return described(PACKAGE, {"en": "Canasta", "de": "Canasta"}, Options, AnyMove, CODES, DECK)

    def sentence(self, refused: Refused, language: str) -> str:
        return in_words(PACKAGE, refused, language)


RULESET = CanastaRuleset()
