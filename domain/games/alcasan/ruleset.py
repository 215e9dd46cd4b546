"""alcasan as the rest of Kiebitz sees it: the ruleset, and the rulebook with options and seats."""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from domain.cards import Card, Seat
from domain.effects import Effects
from domain.errors import Refused
from domain.games.alcasan.checks import check
from domain.games.alcasan.codes import CODES
from domain.games.alcasan.kinds import DECK, KINDS
from domain.games.alcasan.legal import legal_moves
from domain.games.alcasan.moves import MOVES, AnyMove, named_cards
from domain.games.alcasan.options import Options, effective_options, setup
from domain.games.alcasan.play import open_hand, play
from domain.games.alcasan.table import AlcasanTable
from domain.games.alcasan.view import view
from domain.games.alcasan.words import said
from domain.rules import About, Move, Rulebook, check_cards, check_start, check_turn, described, in_words, read_move
from domain.score import Sheet, places_by
from domain.setup import Setup
from domain.table import Draft, Table

PACKAGE = __package__ or ""
_KNOWN = frozenset(KINDS)


class AlcasanRulebook(Struct, frozen=True):
    """The rules of one game. Pure."""

    options: Options
    setup: Setup
    deck: tuple[Card, ...] = DECK

    def deal(self, table: Table, dealer: object, deck: object) -> Effects:
        """The start of a hand (ALC-1, ALC-9 to ALC-11)."""
        seat, cards = check_start(table, dealer, deck, self.deck, CODES)
        draft = Draft(table)
        open_hand(draft, seat, cards)
        return tuple(draft.effects)

    def resolve(self, table: Table, seat: object, move: object) -> Effects:
        """A move, judged in the order of ALC-7."""
        read: AnyMove = read_move(move, MOVES, CODES)
        check_cards(named_cards(read), _KNOWN, CODES)
        mover = check_turn(table, seat, CODES)
        alcasan, draft = AlcasanTable(table), Draft(table)
        check(self.options, alcasan, mover, read)
        play(draft, self.options, alcasan, mover, read)
        return tuple(draft.effects)

    def legal(self, table: Table, seat: Seat) -> Iterator[Move]:
        """Every distinct legal move of the seat; none if it is not to act."""
        return legal_moves(self.options, AlcasanTable(table), seat) if table.may_act(seat) else iter(())

    def view(self, table: Table) -> dict[str, Any]:
        return view(table)

    def places(self, sheet: Sheet) -> tuple[int | None, ...]:
        """By the totals (ALC-43)."""
        return places_by(sheet.totals)


class AlcasanRuleset(Struct, frozen=True):
    key: str = "alcasan"
    edition: int = 1

    def bind(self, options: object, seats: object) -> Rulebook:
        chosen, number = effective_options(options, seats)
        return AlcasanRulebook(chosen, setup(chosen, number))

    def about(self) -> About:
        return described(PACKAGE, {"en": "alcasan", "de": "alcasan"}, Options, AnyMove, CODES, DECK)

    def sentence(self, refused: Refused, language: str) -> str:
        return in_words(PACKAGE, refused, language, said)


RULESET = AlcasanRuleset()
