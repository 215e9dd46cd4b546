"""The routes of this wing, as ``api/app.py`` joins them."""

from litestar.handlers import HTTPRouteHandler

from api.tournaments import entries, games, lists, notes, results, rounds, seating, tournaments

ROUTES: tuple[HTTPRouteHandler, ...] = (
    tournaments.announce,
    lists.list_tournaments,
    tournaments.read_tournament,
    tournaments.end,
    lists.read_tournament_history,
    notes.list_tournament_notes,
    notes.erase_tournament_words,
    entries.enter,
    entries.list_entries,
    entries.substitute,
    entries.withdraw_entry,
    entries.return_entry,
    rounds.pair,
    rounds.list_rounds,
    rounds.read_round,
    rounds.unpair,
    rounds.close,
    games.open_games,
    results.enter_result,
    results.confirm,
    results.forfeit,
    results.adjourn,
    results.withdraw_result,
    seating.read_seating,
)
