"""Casino as the rest of Kiebitz sees it."""

from msgspec.structs import replace

from domain.binding import GameRules, by_hands_alone
from domain.cards import FRENCH_DECK
from domain.checks import next_dealer
from domain.games.casino import checks, codes, legal, moves, notation, options, play, score, table, view
from domain.telling.tellable import Tellable

RULESET = GameRules(
    edition=2,
    key=options.KEY,
    package=__package__,
    options=options.Options,
    moves=moves.AnyMove,
    codes=codes.CODES,
    deck=FRENCH_DECK,
    settle=options.settle,
    on_table=table.CasinoTable,
    dealer=next_dealer,
    open_hand=play.open_hand,
    named_cards=moves.named_cards,
    check=checks.check,
    play=play.play,
    stop=play.stop,
    ends=lambda chosen, points: ("played_out",),
    legal_moves=legal.legal_moves,
    hands=view.hands,
    view=view.view,
    signs=table.signs,
    closing=play.closing,
    notation=notation.GRAMMAR,
    telling=Tellable[options.Options, table.CasinoTable, moves.AnyMove](
        zones=table.told_zones, dealt=play.first_zones, named=moves.played_cards
    ),
    places=lambda chosen, sheet: score.final_places(sheet, chosen.target, by_order=chosen.count_out == "order"),
)

EDITION_1 = replace(RULESET, edition=1, closing=by_hands_alone)
"""No ruling ends the game."""
