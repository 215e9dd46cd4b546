"""alcasan as the rest of Kiebitz sees it."""

from functools import partial

from msgspec.structs import replace

from domain.binding import GameRules
from domain.games.alcasan import checks, codes, kinds, legal, moves, notation, options, play, table, unknown, view
from domain.telling.tellable import Tellable

RULESET = GameRules(
    edition=2,
    key=options.KEY,
    package=__package__,
    options=options.Options,
    moves=moves.AnyMove,
    codes=codes.CODES,
    deck=kinds.DECK,
    settle=options.settle,
    on_table=table.AlcasanTable,
    open_hand=play.open_hand,
    named_cards=moves.named_cards,
    check=checks.check,
    play=play.play,
    stop=play.stop,
    ends=lambda chosen, points: ("finished", "move_limit"),
    closing=play.closing,
    legal_moves=legal.legal_moves,
    hands=view.hands,
    view=view.view,
    signs=table.signs,
    notation=notation.GRAMMAR,
    telling=Tellable[options.Options, table.AlcasanTable, moves.AnyMove](
        zones=unknown.told_zones, dealt=unknown.first_zones, named=unknown.named
    ),
)

EDITION_1 = replace(
    RULESET,
    edition=1,
    options=options.OptionsOfEdition1,
    moves=moves.MovesOfEdition1,
    settle=partial(options.settle, kind=options.OptionsOfEdition1),
)
"""Nobody can decline a further lay."""
