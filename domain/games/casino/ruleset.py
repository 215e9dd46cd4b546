"""Casino as the rest of Kiebitz sees it: the ruleset, and the rulebook with options and seats."""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from domain.cards import FRENCH_DECK, Card, Seat
from domain.effects import Effects
from domain.errors import Refused
from domain.games.casino.checks import check
from domain.games.casino.codes import CODES
from domain.games.casino.legal import legal_moves
from domain.games.casino.moves import MOVES, AnyMove, named_cards
from domain.games.casino.options import Options, effective, setup
from domain.games.casino.play import open_hand, play
from domain.games.casino.score import final_places
from domain.games.casino.table import CasinoTable
from domain.games.casino.values import VALUES
from domain.games.casino.view import view
from domain.rules import About, Move, Rulebook, check_cards, check_start, check_turn, described, in_words, next_dealer, read_move
from domain.score import Sheet
from domain.setup import Setup
from domain.table import Draft, Table

PACKAGE = __package__ or ""
_KNOWN = frozenset(FRENCH_DECK)


class CasinoRulebook(Struct, frozen=True):
    """The rules of one game. Pure."""

    options: Options
    setup: Setup
    deck: tuple[Card, ...] = FRENCH_DECK

    def deal(self, table: Table, dealer: object, deck: object) -> Effects:
        """The start of a hand (CNO-7 to CNO-9)."""
        seat, cards = check_start(table, dealer, deck, self.deck, CODES, next_dealer(table))
        draft = Draft(table)
        open_hand(draft, seat, cards)
        return tuple(draft.effects)

    def resolve(self, table: Table, seat: object, move: object) -> Effects:
        """A move, judged in the order of CNO-80."""
        read: AnyMove = read_move(move, MOVES, CODES)
        check_cards(named_cards(read), _KNOWN, CODES)
        mover = check_turn(table, seat, CODES)
        values = VALUES[self.options.variant]
        casino = CasinoTable(table)
        check(values, casino, mover, read)
        draft = Draft(table)
        play(draft, values, self.options, casino, mover, read)
        return tuple(draft.effects)

    def legal(self, table: Table, seat: Seat) -> Iterator[Move]:
        """Every distinct play of the seat; none if it is not its turn."""
        return legal_moves(VALUES[self.options.variant], CasinoTable(table), seat) if table.may_act(seat) else iter(())

    def view(self, table: Table) -> dict[str, Any]:
        return view(table)

    def places(self, sheet: Sheet) -> tuple[int | None, ...]:
        return final_places(sheet, self.options.target, by_order=self.options.count_out == "order")


class CasinoRuleset(Struct, frozen=True):
    key: str = "casino"
    edition: int = 1

    def bind(self, options: object, seats: object) -> Rulebook:
        chosen, number = effective(options, seats)
        return CasinoRulebook(chosen, setup(chosen, number))

    def about(self) -> About:
        return described(PACKAGE, {"en": "Casino and Royal Casino", "de": "Casino und Royal Casino"}, Options, AnyMove, CODES, FRENCH_DECK)

    def sentence(self, refused: Refused, language: str) -> str:
        return in_words(PACKAGE, refused, language)


RULESET = CasinoRuleset()
