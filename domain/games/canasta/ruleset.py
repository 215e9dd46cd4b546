"""Canasta as the rest of Kiebitz sees it."""

from functools import partial

from msgspec.structs import replace

from domain.binding import GameRules, by_hands_alone
from domain.checks import next_dealer
from domain.games.canasta import cards, checks, close, codes, deal, legal, moves, notation, options, play, table, view
from domain.telling.tellable import Tellable

RULESET = GameRules(
    edition=3,
    key=options.KEY,
    package=__package__,
    options=options.Options,
    moves=moves.AnyMove,
    codes=codes.CODES,
    deck=cards.DECK,
    settle=options.settle,
    on_table=table.CanastaTable,
    dealer=next_dealer,
    open_hand=deal.open_hand,
    named_cards=moves.named_cards,
    check=checks.check,
    play=play.play,
    stop=close.stop,
    ends=close.ends,
    legal_moves=legal.legal_moves,
    hands=view.hands,
    view=view.view,
    signs=table.signs,
    telling=Tellable[options.Options, table.CanastaTable, moves.AnyMove](
        zones=table.told_zones, dealt=deal.first_zones, named=moves.told_cards, barred=table.never_told
    ),
    notation=notation.GRAMMAR,
    closing=close.closing,
)

EDITION_2 = replace(RULESET, edition=2, closing=by_hands_alone)
"""No ruling ends the match."""

EDITION_1 = replace(
    EDITION_2,
    edition=1,
    open_hand=partial(deal.open_hand, small_pile_open=False),
    play=partial(play.play, small_pile_open=False),
)
"""Only the top card of the pile is seen, however small it is."""
