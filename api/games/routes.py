"""The routes of this wing; ``api/app.py`` joins them."""

from api.games import (
    branches,
    game_history,
    games,
    hands,
    history_tables,
    legal_moves,
    moves,
    replays,
    rewinds,
    score_sheets,
    sheet_comparison,
    shuffling,
    statistics,
    streams,
    tables,
)
from api.http.operations import handlers_in

ROUTES = handlers_in(
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
    history_tables,
    statistics,
)
