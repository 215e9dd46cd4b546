"""The routes of this wing; ``api/app.py`` joins them."""

from api.common.tables.columns import columns_route
from api.games import (
    audits,
    branches,
    game_history,
    games,
    hands,
    legal_moves,
    moves,
    replays,
    rewinds,
    score_sheets,
    sheet_comparison,
    shuffling,
    streams,
    tables,
)
from api.games.games_table import GAMES
from api.http.operations import handlers_in

ROUTES = (
    *handlers_in(
        games,
        hands,
        shuffling,
        moves,
        branches,
        rewinds,
        tables,
        score_sheets,
        sheet_comparison,
        game_history,
        replays,
        streams,
        legal_moves,
        audits,
    ),
    columns_route(GAMES, "Games"),
)
