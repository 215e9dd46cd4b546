"""The routes of this wing; ``api/app.py`` joins them."""

from api.common.notes import TOURNAMENT_NOTES
from api.http.operations import handlers_in
from api.tournaments import (
    announcement_changes,
    boards,
    bracket,
    corrected_entries,
    entries,
    games,
    lists,
    notices,
    results,
    round_changes,
    rounds,
    seating,
    streams,
    table_now,
    ties,
    tournaments,
    walls,
    wish_commands,
)

ROUTES = (
    *handlers_in(tournaments, lists, announcement_changes),
    *TOURNAMENT_NOTES,
    *handlers_in(entries, corrected_entries),
    *handlers_in(rounds, round_changes, bracket, games, boards, results, notices, ties, seating, table_now, streams, walls, wish_commands),
)
