"""The Trumpfspiel as the rest of Kiebitz sees it."""

from functools import partial

from msgspec.structs import replace

from domain.binding import GameRules
from domain.games.quartett.deck import PACKAGE, deck_of
from domain.games.quartett.options import DECK, Agreed
from domain.games.quartett.ranking import closing
from domain.games.quartett.trumpf import checks, codes, legal, moves, notation, options, play, table, tricks, view
from domain.telling.tellable import Tellable

TRUMPF = GameRules(
    edition=3,
    key=options.KEY,
    package=PACKAGE,
    rule_prefixes=("QDK-", "QTR-"),
    options=options.Options,
    moves=moves.AnyMove,
    codes=codes.CODES,
    deck=deck_of(DECK).cards,
    deck_of=lambda agreed: agreed.deck.cards,
    settle=options.settle,
    on_table=table.TrumpfTable,
    open_hand=play.open_hand,
    named_cards=moves.named_cards,
    check=checks.check,
    play=play.play,
    stop=tricks.stop,
    ends=lambda agreed, points: ("one_left", "round_limit", "no_cards"),
    closing=lambda agreed, sheet: closing(agreed.options.deals, sheet),
    legal_moves=legal.legal_moves,
    hands=view.hands,
    view=view.view,
    signs=table.signs,
    notation=notation.GRAMMAR,
    telling=Tellable[Agreed[options.Options], table.TrumpfTable, moves.AnyMove](
        zones=table.told_zones, dealt=play.first_zones, dealt_in_order=table.told_in_order, named=moves.told_cards
    ),
)

TRUMPF_2 = replace(TRUMPF, edition=2, options=options.OptionsOfEdition2, settle=options.settle_edition_2)
"""All take part in every tie break (QTR-16)."""

TRUMPF_1 = replace(TRUMPF_2, edition=1, check=partial(checks.check, owned_first=True))
"""The checks of an announcement in another order (QTR-7)."""
