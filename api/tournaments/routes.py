"""The routes of this wing, as ``api/app.py`` joins them."""

from api.common.tables.schemas import columns_route
from api.tournaments import (
    audits,
    boards,
    corrections,
    entries,
    games,
    lists,
    notes,
    results,
    rounds,
    seating,
    streams,
    table_now,
    tournaments,
)
from api.tournaments.tables import TOURNAMENTS

ROUTES = (
    tournaments.announce,
    lists.list_tournaments,
    tournaments.read_tournament,
    corrections.correct,
    tournaments.END,
    tournaments.PUBLISH,
    lists.read_tournament_history,
    audits.audit_tournament,
    notes.list_tournament_notes,
    notes.erase_tournament_words,
    entries.enter,
    entries.list_entries,
    *entries.ACTS,
    corrections.RATING,
    *rounds.ACTS,
    rounds.list_rounds,
    rounds.read_round,
    games.open_games,
    boards.prepare_boards,
    boards.list_boards,
    *results.ACTS,
    seating.read_seating,
    table_now.read_table_now,
    streams.stream_tournament,
    columns_route(TOURNAMENTS, "Tournaments"),
)
