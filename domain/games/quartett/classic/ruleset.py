"""Classic Quartett as the rest of Kiebitz sees it: the ruleset, and the rulebook with its options and seats."""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from domain.cards import Card, Seat
from domain.effects import Effects
from domain.errors import Refused
from domain.games.quartett import telling
from domain.games.quartett.classic.checks import check_ask
from domain.games.quartett.classic.codes import CODES
from domain.games.quartett.classic.legal import legal_moves
from domain.games.quartett.classic.moves import MOVES, Ask
from domain.games.quartett.classic.options import KEY, Options, chosen
from domain.games.quartett.classic.play import ask, open_hand
from domain.games.quartett.classic.table import ClassicTable
from domain.games.quartett.classic.view import view
from domain.games.quartett.deck import PACKAGE, Deck, deck_of
from domain.games.quartett.options import DECK
from domain.rules import About, Move, Rulebook, check_cards, check_start, check_turn, described, read_move
from domain.score import Sheet, places_by
from domain.setup import Setup
from domain.table import Draft, Table


class ClassicRulebook(Struct, frozen=True):
    """The rules of one game. Pure."""

    options: Options
    cards: Deck
    setup: Setup
    known: frozenset[Card]

    @property
    def deck(self) -> tuple[Card, ...]:
        return self.cards.cards

    def deal(self, table: Table, dealer: object, deck: object) -> Effects:
        """The start of a hand (QKL-3 to QKL-5)."""
        seat, cards = check_start(table, dealer, deck, self.deck, CODES)
        draft = Draft(table)
        open_hand(draft, self.cards, self.options, seat, cards)
        return tuple(draft.effects)

    def resolve(self, table: Table, seat: object, move: object) -> Effects:
        """A question, judged in the order of QTR-7 and the table of QKL-6 to QKL-8."""
        read: Ask = read_move(move, MOVES, CODES)
        card = self.cards.named(read.card) or read.card
        check_cards((card,), self.known, CODES)
        asker = check_turn(table, seat, CODES)
        check_ask(self.cards, ClassicTable(table), asker, read.target, card)
        draft = Draft(table)
        ask(draft, self.cards, self.options, asker, read.target, card)
        return tuple(draft.effects)

    def legal(self, table: Table, seat: Seat) -> Iterator[Move]:
        """Every distinct question of the seat; none if it is not its turn."""
        return legal_moves(self.cards, ClassicTable(table), seat) if table.may_act(seat) else iter(())

    def view(self, table: Table) -> dict[str, Any]:
        return view(self.cards, table)

    def places(self, sheet: Sheet) -> tuple[int | None, ...]:
        """By the totals (QTR-28)."""
        return places_by(sheet.totals)


class ClassicRuleset(Struct, frozen=True):
    key: str = KEY
    edition: int = 1

    def bind(self, options: object, seats: object) -> Rulebook:
        read, deck, setup = chosen(options, seats)
        return ClassicRulebook(read, deck, setup, frozenset(deck.cards))

    def about(self) -> About:
        names = {"en": "Classic Quartett", "de": "Quartett (klassisch)"}
        return described(PACKAGE, names, Options, Ask, CODES, deck_of(DECK).cards, telling.cited("QKL-", ("QTR-7", "QTR-28")))

    def sentence(self, refused: Refused, language: str) -> str:
        return telling.sentence(refused, language)


CLASSIC = ClassicRuleset()
