"""Cascades as the rest of Kiebitz sees it: the ruleset, and the rulebook with its options."""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from domain.cards import Card, Seat
from domain.effects import Effects
from domain.errors import Refused
from domain.games.cascades.checks import check_play, check_turning
from domain.games.cascades.codes import CODES
from domain.games.cascades.decktet import EXTENDED, deck
from domain.games.cascades.legal import legal_moves
from domain.games.cascades.moves import MOVES, AnyMove, Play, Resign, Turn
from domain.games.cascades.options import Options, effective, setup
from domain.games.cascades.play import open_hand, play_card, resign, turn
from domain.games.cascades.table import CascadesTable
from domain.games.cascades.view import view
from domain.games.cascades.words import said
from domain.rules import About, Move, Rulebook, check_cards, check_start, check_turn, described, in_words, read_move
from domain.score import Sheet
from domain.setup import Setup
from domain.table import Draft, Table

PACKAGE = __package__ or ""


class CascadesRulebook(Struct, frozen=True):
    """The rules of one game. Pure."""

    setup: Setup
    deck: tuple[Card, ...]
    known: frozenset[Card]

    def deal(self, table: Table, dealer: object, deck: object) -> Effects:
        """The only hand of the game (CSC-6, CSC-7)."""
        _, cards = check_start(table, dealer, deck, self.deck, CODES)
        draft = Draft(table)
        open_hand(draft, cards)
        return tuple(draft.effects)

    def resolve(self, table: Table, seat: object, move: object) -> Effects:
        """A move, judged in the order of CSC-33 and CSC-39."""
        read: AnyMove = read_move(move, MOVES, CODES)
        if isinstance(read, Play):
            check_cards((read.card,), self.known, CODES)
        check_turn(table, seat, CODES)
        cascades, draft = CascadesTable(table), Draft(table)
        match read:
            case Play(card=card, tier=tier):
                check_play(cascades, card, tier)
                play_card(draft, cascades, card, tier)
            case Turn():
                check_turning(cascades)
                turn(draft, cascades)
            case Resign():
                resign(draft)
        return tuple(draft.effects)

    def legal(self, table: Table, seat: Seat) -> Iterator[Move]:
        """Every legal move; none before the deal and after the end."""
        return legal_moves(CascadesTable(table)) if table.may_act(seat) else iter(())

    def view(self, table: Table) -> dict[str, Any]:
        return view(table)

    def places(self, sheet: Sheet) -> tuple[int | None, ...]:
        """A solitaire is won or lost (CSC-45); points that are adjusted change nothing in that."""
        return (1 if any(hand.facts.get("won") == 1 for hand in sheet.hands) else None,)


class CascadesRuleset(Struct, frozen=True):
    key: str = "cascades"
    edition: int = 1

    def bind(self, options: object, seats: object) -> Rulebook:
        chosen = effective(options, seats)
        cards = deck(pawns=chosen.pawns, courts=chosen.courts)
        return CascadesRulebook(setup(chosen), cards, frozenset(cards))

    def about(self) -> About:
        return described(PACKAGE, {"en": "Cascades", "de": "Cascades (Kaskaden)"}, Options, AnyMove, CODES, EXTENDED)

    def sentence(self, refused: Refused, language: str) -> str:
        return in_words(PACKAGE, refused, language, said)


RULESET = CascadesRuleset()
