"""The ruleset of Canasta: its functions and tables, plugged into ``GameRules``."""

from functools import partial
from typing import Any

from msgspec.structs import replace

from domain.binding import GameRules, by_hands_only
from domain.cards import Card
from domain.checks import next_dealer
from domain.games.canasta import cards, checks, close, codes, deal, legal, moves, notation, options, play, table
from domain.games.canasta.cards import in_order
from domain.games.canasta.melds import NONE
from domain.games.canasta.score import count_table_points
from domain.games.canasta.table import PARTIES, CanastaTable
from domain.rules import hands_view, stock_view
from domain.unknown_cards.support import UnknownCardsSupport

# The state view of Canasta, from a whole or a masked table.


def hands(_: object, canasta: CanastaTable) -> dict[str, Any]:
    """Return the fields beside the common ones, also before the first hand (COM-30)."""
    return {**hands_view([in_order(canasta.hand(seat)) for seat in range(canasta.table.setup.seats)]), **stock_view(canasta.table)}


def view(_: object, canasta: CanastaTable) -> dict[str, Any]:
    """Return the cards and marks on the table once a hand was dealt (COM-31)."""
    table = canasta.table
    return {
        "pile": canasta.pile,
        "pile_top": canasta.top,
        "pile_count": len(canasta.pile),
        "pile_frozen": canasta.frozen,
        "pile_blocked": canasta.is_pile_blocked(wild_top_take=bool(table.setup.options.get("wild_top_take"))),
        "red_threes": [in_order(canasta.red_threes(party)) for party in PARTIES],
        "melds": [{rank: _meld(cards) for rank, cards in melded.items()} for melded in canasta.meld_cards],
        "opened": [canasta.has_opened(party) for party in PARTIES],
        "minimums": canasta.minimums,
        "question": canasta.pending_request,
        "must_go_out": canasta.must_go_out,
        "provisional": count_table_points(canasta) if table.in_hand else (0, 0),
    }


def _meld(cards: tuple[Card, ...]) -> dict[str, Any]:
    meld = NONE.join_cards(cards)
    return {"cards": in_order(cards), "natural": meld.natural, "wild": meld.wild, "canasta": meld.canasta}


_TELLING = UnknownCardsSupport[options.Options, table.CanastaTable, moves.AnyMove](
    zones=table.list_unknown_zones,
    dealt=deal.first_zones,
    named=moves.locate_named_cards,
    barred=table.is_never_unknown,
    counted=cards.COUNTED,
    laid=lambda _: tuple((card,) for card in sorted(cards.RED_THREES)),
)

RULESET = GameRules(
    edition=5,
    key=options.KEY,
    package=__package__ or "",
    options=options.Options,
    preset_rows=options.PRESETS,
    moves=moves.AnyMove,
    codes=codes.CODES,
    deck=cards.DECK,
    settle=options.resolve_options,
    on_table=table.CanastaTable,
    dealer=next_dealer,
    open_hand=deal.open_hand,
    named_cards=moves.list_named_cards,
    check=checks.check,
    play=play.play,
    stop=close.stop,
    ends=close.ends,
    legal_moves=legal.legal_moves,
    hands=hands,
    view=view,
    signs=table.signs,
    telling=_TELLING,
    notation=notation.GRAMMAR,
    closing=close.closing,
)

EDITION_4 = replace(RULESET, edition=4, telling=replace(_TELLING, counted=None))
"""Hands that count are told by their faces alone."""

EDITION_3 = replace(
    EDITION_4,
    edition=3,
    options=options.OptionsOfEdition3,
    settle=partial(options.resolve_options, kind=options.OptionsOfEdition3),
    open_hand=partial(deal.open_hand, totals_kept=False),
)
"""A ruling during a hand may break it off, and a wild card or red three turned up first is always covered."""

EDITION_2 = replace(EDITION_3, edition=2, closing=by_hands_only)
"""No ruling ends the match."""

EDITION_1 = replace(
    EDITION_2,
    edition=1,
    open_hand=partial(deal.open_hand, totals_kept=False, small_pile_open=False),
    play=partial(play.play, small_pile_open=False),
)
"""Only the top card of the pile is seen, however small it is."""
