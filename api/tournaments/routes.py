"""The routes of this wing; ``api/app.py`` joins them."""

from api.common.notes import TOURNAMENT_NOTES
from api.common.stream_audits import TOURNAMENT_AUDIT
from api.http.operations import handlers_in
from api.tournaments import (
    announcement_changes,
    boards,
    entries,
    entry_changes,
    games,
    lists,
    publication,
    results,
    round_changes,
    round_views,
    rounds,
    seating,
    streams,
    table_now,
    tournaments,
    walls,
    wish_commands,
)

ROUTES = (
    *handlers_in(tournaments, publication, lists, announcement_changes, entries, entry_changes, rounds, round_views, round_changes),
    *handlers_in(games, boards, results, seating, table_now, streams, walls, wish_commands),
    *TOURNAMENT_NOTES,
    TOURNAMENT_AUDIT,
)
