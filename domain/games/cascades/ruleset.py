"""Cascades as the rest of Kiebitz sees it."""

from domain.binding import GameRules
from domain.games.cascades import checks, codes, decktet, legal, moves, notation, options, play, score, table, unknown, view
from domain.telling.tellable import Tellable

RULESET = GameRules(
    key=options.KEY,
    package=__package__,
    options=options.Options,
    moves=moves.AnyMove,
    codes=codes.CODES,
    deck=decktet.EXTENDED,
    deck_of=lambda chosen: decktet.deck(pawns=chosen.pawns, courts=chosen.courts),
    settle=options.settle,
    on_table=table.CascadesTable,
    open_hand=play.open_hand,
    named_cards=moves.named_cards,
    check=checks.check,
    play=play.play,
    stop=play.stop,
    ends=play.ends,
    closing=play.closing,
    legal_moves=legal.legal_moves,
    hands=view.hands,
    view=view.view,
    signs=table.signs,
    notation=notation.GRAMMAR,
    telling=Tellable[options.Options, table.CascadesTable, moves.AnyMove](
        zones=unknown.told_zones,
        dealt=unknown.first_zones,
        named=unknown.named,
        deck=unknown.check_deck,
        turned=unknown.turned_over,
    ),
    places=score.places,
)
