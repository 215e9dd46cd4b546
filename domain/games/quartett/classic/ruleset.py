"""Classic Quartett as the rest of Kiebitz sees it."""

from domain.binding import GameRules
from domain.games.quartett.classic import checks, codes, legal, moves, notation, options, play, table, view
from domain.games.quartett.deck import PACKAGE, deck_of
from domain.games.quartett.options import DECK, Agreed
from domain.games.quartett.ranking import closing
from domain.telling.tellable import Tellable

CLASSIC = GameRules(
    key=options.KEY,
    package=PACKAGE,
    rule_prefixes=("QDK-", "QKL-", "QTR-7", "QTR-28"),
    options=options.Options,
    moves=moves.Ask,
    codes=codes.CODES,
    deck=deck_of(DECK).cards,
    deck_of=lambda agreed: agreed.deck.cards,
    settle=options.settle,
    on_table=table.ClassicTable,
    open_hand=play.open_hand,
    named_cards=moves.named_cards,
    check=checks.check,
    play=play.ask,
    stop=play.stop,
    ends=lambda agreed, points: ("complete", "ask_limit"),
    closing=lambda agreed, sheet: closing(agreed.options.deals, sheet),
    legal_moves=legal.legal_moves,
    hands=view.hands,
    view=view.view,
    signs=table.signs,
    notation=notation.GRAMMAR,
    telling=Tellable[Agreed[options.Options], table.ClassicTable, moves.Ask](
        zones=table.told_zones, dealt=play.first_zones, named=moves.told_cards, heeding=table.heeding
    ),
)
