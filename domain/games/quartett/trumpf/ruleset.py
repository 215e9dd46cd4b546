"""The Trumpfspiel as the rest of Kiebitz sees it: the ruleset, and the rulebook with its options and seats."""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from domain.cards import Card, Seat
from domain.effects import Effects
from domain.errors import Refused
from domain.games.quartett import telling
from domain.games.quartett.deck import PACKAGE, Deck, deck_of
from domain.games.quartett.options import DECK
from domain.games.quartett.trumpf.checks import check
from domain.games.quartett.trumpf.codes import CODES
from domain.games.quartett.trumpf.legal import legal_moves
from domain.games.quartett.trumpf.moves import MOVES, AnyMove, named_cards
from domain.games.quartett.trumpf.options import KEY, Options, chosen
from domain.games.quartett.trumpf.play import open_hand, play
from domain.games.quartett.trumpf.table import TrumpfTable
from domain.games.quartett.trumpf.view import view
from domain.rules import About, Move, Rulebook, check_cards, check_start, check_turn, described, read_move
from domain.score import Sheet, places_by
from domain.setup import Setup
from domain.table import Draft, Table


class TrumpfRulebook(Struct, frozen=True):
    """The rules of one game. Pure."""

    options: Options
    cards: Deck
    setup: Setup
    known: frozenset[Card]

    @property
    def deck(self) -> tuple[Card, ...]:
        return self.cards.cards

    def deal(self, table: Table, dealer: object, deck: object) -> Effects:
        """The start of a hand (QTR-1, QTR-4 to QTR-6)."""
        seat, cards = check_start(table, dealer, deck, self.deck, CODES)
        draft = Draft(table)
        open_hand(draft, self.options, seat, cards)
        return tuple(draft.effects)

    def resolve(self, table: Table, seat: object, move: object) -> Effects:
        """A move, judged in the order of QTR-7."""
        read: AnyMove = read_move(move, MOVES, CODES)
        check_cards(named_cards(read), self.known, CODES)
        mover = check_turn(table, seat, CODES)
        check(self.cards, TrumpfTable(table), mover, read)
        draft = Draft(table)
        play(draft, self.cards, self.options, mover, read)
        return tuple(draft.effects)

    def legal(self, table: Table, seat: Seat) -> Iterator[Move]:
        """Every distinct move of the seat; none if it is not its turn."""
        return legal_moves(self.cards, TrumpfTable(table), seat) if table.may_act(seat) else iter(())

    def view(self, table: Table) -> dict[str, Any]:
        return view(self.cards, table)

    def places(self, sheet: Sheet) -> tuple[int | None, ...]:
        """By the totals (QTR-28)."""
        return places_by(sheet.totals)


class TrumpfRuleset(Struct, frozen=True):
    key: str = KEY
    edition: int = 1

    def bind(self, options: object, seats: object) -> Rulebook:
        read, deck, setup = chosen(options, seats)
        return TrumpfRulebook(read, deck, setup, frozenset(deck.cards))

    def about(self) -> About:
        names = {"en": "Quartett: Trumpfspiel", "de": "Quartett: Trumpfspiel"}
        return described(PACKAGE, names, Options, AnyMove, CODES, deck_of(DECK).cards, telling.cited("QTR-"))

    def sentence(self, refused: Refused, language: str) -> str:
        return telling.sentence(refused, language)


TRUMPF = TrumpfRuleset()
