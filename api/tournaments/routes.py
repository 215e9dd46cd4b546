"""The routes of this wing; ``api/app.py`` joins them."""

from api.common.tables.columns import columns_route
from api.http.operations import handlers_in
from api.tournaments import (
    announcement_changes,
    boards,
    brackets,
    entries,
    games,
    lists,
    notes,
    rectification,
    results,
    round_changes,
    rounds,
    seating,
    streams,
    table_now,
    ties,
    tournaments,
    walls,
    wishes,
)
from api.tournaments.table_now import TOURNAMENTS

ROUTES = (
    *handlers_in(tournaments, lists, announcement_changes, notes, entries, rectification),
    *handlers_in(rounds, round_changes, brackets, games, boards, results, ties, seating, table_now, streams, walls, wishes),
    columns_route(TOURNAMENTS, "Tournaments"),
)
