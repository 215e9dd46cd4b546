"""The ruleset of Casino: its functions and tables, plugged into ``GameRules``."""

from functools import partial
from typing import Any

from msgspec.structs import replace

from domain.binding import GameRules, by_hands_only
from domain.cards import FRENCH_DECK
from domain.checks import next_dealer
from domain.games.casino import checks, codes, legal, moves, notation, options, play, score, table
from domain.games.casino.table import CasinoTable
from domain.rules import hands_view, stock_view
from domain.unknown_cards.support import UnknownCardsSupport

# The state view of Casino, from a whole or a masked table.


def hands(_: object, casino: CasinoTable) -> dict[str, Any]:
    """Return the fields beside the common ones, also before the first hand (COM-30)."""
    return {**hands_view([casino.hand(seat) for seat in range(casino.table.setup.seats)]), **stock_view(casino.table)}


def view(_: object, casino: CasinoTable) -> dict[str, Any]:
    """Return the cards and marks on the table once a hand was dealt (COM-31)."""
    parties = range(len(casino.table.setup.parties))
    piles = [casino.pile(party) for party in parties]
    sweep_cards = [casino.sweeps(party) for party in parties]
    return {
        "deal": casino.deal,
        "last_deal": not casino.stock,
        "table": casino.board,
        "builds": [
            {"id": build.id, "value": build.value, "kind": build.kind, "owner": build.owner, "groups": build.groups}
            for build in casino.builds.values()
        ],
        "piles": piles,
        "pile_counts": [len(pile) for pile in piles],
        "sweeps": [len(cards) for cards in sweep_cards],
        "sweep_cards": sweep_cards,
        "last_capturer": casino.last_capturer,
    }


RULESET = GameRules(
    edition=3,
    key=options.KEY,
    package=__package__ or "",
    options=options.Options,
    preset_rows=options.PRESETS,
    moves=moves.AnyMove,
    codes=codes.CODES,
    deck=FRENCH_DECK,
    settle=options.resolve_options,
    on_table=table.CasinoTable,
    dealer=next_dealer,
    open_hand=play.open_hand,
    named_cards=moves.list_named_cards,
    check=checks.check,
    play=play.play,
    stop=play.stop,
    ends=lambda chosen, points: ("played_out",),
    legal_moves=legal.legal_moves,
    hands=hands,
    view=view,
    signs=table.signs,
    closing=play.closing,
    notation=notation.GRAMMAR,
    telling=UnknownCardsSupport[options.Options, table.CasinoTable, moves.AnyMove](
        zones=table.list_unknown_zones, dealt=play.first_zones, named=moves.locate_named_cards
    ),
    places=lambda chosen, sheet: score.final_places(sheet, chosen.target, by_order=chosen.count_out == "order"),
)

EDITION_2 = replace(
    RULESET,
    edition=2,
    options=options.OptionsOfEdition2,
    settle=partial(options.resolve_options, kind=options.OptionsOfEdition2),
)
"""The very last card can always sweep."""

EDITION_1 = replace(EDITION_2, edition=1, closing=by_hands_only)
"""No ruling ends the game."""
