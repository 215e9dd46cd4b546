"""The ruleset of Cascades: its functions and tables, plugged into ``GameRules``."""

from typing import Any

from domain.binding import GameRules
from domain.cards import HIDDEN, Card, Seat
from domain.checks import refusal
from domain.games.cascades import checks, codes, decktet, moves, notation, options, play, score, table
from domain.games.cascades.codes import CODES
from domain.games.cascades.decktet import ACES, aces_of, rank
from domain.games.cascades.moves import AnyMove, Turn
from domain.games.cascades.options import Options
from domain.games.cascades.play import legal_moves
from domain.games.cascades.score import counts, hand_rows
from domain.games.cascades.table import THREE, CascadesTable, base_zone, pile_zone
from domain.rules import stock_view
from domain.table import Table
from domain.unknown_cards.face_entry import build_face_refusal
from domain.unknown_cards.support import Order, UnknownCardsSupport, Zones

# The state view of Cascades, from a whole or a masked table.


def hands(_: object, cascades: CascadesTable) -> dict[str, Any]:
    """Return the fields beside the common ones, also before the first hand (COM-30)."""
    return stock_view(cascades.table)


def view(_: object, cascades: CascadesTable) -> dict[str, Any]:
    """Return the cards and marks on the table once a hand was dealt (COM-31)."""
    return {**_view_table(cascades), **_standing(cascades)}


def _view_table(cascades: CascadesTable) -> dict[str, Any]:
    reserve, opened = cascades.reserve, cascades.open_piles
    return {
        "tiers": cascades.tiers,
        "bases": cascades.bases,
        "reserve": reserve,
        "reserve_open": opened,
        "reserve_counts": [len(pile) for pile in reserve],
        "reserve_tops": [reserve[pile][-1] if opened[pile] and reserve[pile] else None for pile in THREE],
        "waste": cascades.waste,
        "waste_top": cascades.waste[-1] if cascades.waste else None,
        "waste_count": len(cascades.waste),
    }


def _standing(cascades: CascadesTable) -> dict[str, Any]:
    score = cascades.table.score
    won = score.places == (1,)
    return {
        "result": ("won" if won else "lost") if score.hands else None,
        "end": score.hands[-1].end if score.hands else None,
        "pass": cascades.pass_number,
        "passes_allowed": cascades.passes_allowed,
        "turns": cascades.turns,
        "legal_moves": list(legal_moves(None, cascades, 0)) if cascades.table.in_hand else [],
        "tally": {**hand_rows(cascades), **counts(cascades, won=won)},
    }


# Unknown cards: which zones can be told when, and which cards a deck has to name (CSC-48, CSC-49).


def list_unknown_zones(_: object, __: Table) -> dict[str, Order]:
    """Return the zones that can be told. All of them are piles; the cards in a tier or beside it are always known."""
    return dict.fromkeys(("stock", "waste", *map(pile_zone, THREE)), "ordered")


def first_zones(options: Options, _: Table, dealer: Seat, deck: tuple[Card, ...]) -> dict[str, tuple[int, ...]]:
    """Return where the cards of a deal go first, by their indices in the deck; of a reserve pile the top card is told first."""
    if options.variant == "ace":
        aces = aces_of(deck)
        bases = {base_zone(tier): aces[2 * tier : 2 * tier + 2] for tier in THREE}
        return {**bases, "stock": tuple(place for place in range(len(deck)) if place not in aces)}
    piles = {pile_zone(pile): (3 * pile + 2, 3 * pile + 1, 3 * pile) for pile in THREE}
    return {**piles, "stock": tuple(range(9, len(deck)))}


def check_deck(options: Options, deck: tuple[Card, ...], known: Zones) -> None:
    """Check a deck with unknown cards: in the ace variant it names all aces or none, and only they are told beside the tiers. Raises
    ``Refused``.
    """
    if options.variant != "ace":
        return
    named = sum(rank(card) == "A" for card in deck)
    if named != ACES and (named or any(card != HIDDEN for card in deck[:ACES])):
        raise refusal(CODES, "bad_deck", "COM-70", size=len(deck), problem="aces")
    for zone, cards in known.items():
        for card in cards:
            if card != HIDDEN and (rank(card) == "A") != (zone in map(base_zone, THREE)):
                raise build_face_refusal(zone, card, "barred", "COM-70")


def map_turned_zones(table: CascadesTable, move: AnyMove) -> dict[str, str]:
    """Return the zones that are turned over: with an empty stock a turn takes from the waste, as it lies when it is turned over."""
    return {"stock": "waste"} if isinstance(move, Turn) and not table.stock else {}


def locate_named_cards(_: object, __: CascadesTable, ___: Seat, ____: AnyMove) -> Zones:
    """Return no cards of a hand: there are no hands."""
    return {}


RULESET = GameRules(
    key=options.KEY,
    package=__package__ or "",
    options=options.Options,
    preset_rows=options.PRESETS,
    moves=moves.AnyMove,
    codes=codes.CODES,
    deck=decktet.EXTENDED,
    deck_of=lambda chosen: decktet.deck(pawns=chosen.pawns, courts=chosen.courts),
    settle=options.resolve_options,
    on_table=table.CascadesTable,
    open_hand=play.open_hand,
    named_cards=moves.list_named_cards,
    check=checks.check,
    play=play.play,
    stop=play.stop,
    ends=play.ends,
    closing=play.closing,
    legal_moves=play.legal_moves,
    hands=hands,
    view=view,
    signs=table.signs,
    notation=notation.GRAMMAR,
    telling=UnknownCardsSupport[options.Options, table.CascadesTable, moves.AnyMove](
        zones=list_unknown_zones,
        dealt=first_zones,
        named=locate_named_cards,
        deck=check_deck,
        turned=map_turned_zones,
    ),
    places=score.places,
)
