"""The routes of this wing; ``api/app.py`` joins them."""

from api.http.operations import handlers_in
from api.tournaments import (
    announcement_changes,
    boards,
    bracket,
    corrected_entries,
    entries,
    games,
    lists,
    notes,
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
    *handlers_in(tournaments, lists, announcement_changes, notes, entries, corrected_entries),
    *handlers_in(rounds, round_changes, bracket, games, boards, results, notices, ties, seating, table_now, streams, walls, wish_commands),
)
