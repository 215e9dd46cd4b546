"""The routes of this wing, as ``api/app.py`` joins them."""

from api.common.tables.columns import columns_route
from api.games import (
    audits,
    branches,
    games,
    hands,
    histories,
    legal_moves,
    moves,
    reconciliation,
    replays,
    rewinds,
    score_sheets,
    shuffling,
    streams,
    tables,
)
from api.games.games_table import GAMES

ROUTES = (
    games.open_game,
    games.list_games,
    games.read_game,
    hands.deal,
    shuffling.begin_shuffle,
    shuffling.join_shuffle,
    shuffling.open_seats_chance,
    shuffling.type_thrown_dice,
    shuffling.list_shuffles,
    moves.play,
    branches.tell,
    rewinds.rewind,
    rewinds.read_rewinds,
    tables.read_table,
    score_sheets.read_score_sheet,
    reconciliation.reconcile,
    histories.read_history,
    replays.read_replay,
    streams.stream_game,
    legal_moves.list_legal_moves,
    legal_moves.judge_move,
    audits.read_audit,
    branches.try_moves,
    columns_route(GAMES, "Games"),
)
