"""The application: its routes, and what starts and stops with it."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from typing import Any, cast

from litestar import Litestar, route
from litestar.datastructures import State
from litestar.handlers import HTTPRouteHandler

from api import (
    audits,
    branches,
    case_book,
    clubs,
    conduct,
    corrections,
    disputes,
    docs,
    entries,
    erasures,
    feed,
    freshness,
    games,
    hands,
    health,
    histories,
    legal_moves,
    metrics,
    moves,
    notes,
    personal_data,
    player_acts,
    player_lists,
    player_scores,
    players,
    records,
    replays,
    results,
    rewinds,
    rounds,
    rulesets,
    rulings,
    score_sheets,
    scores,
    seating,
    standings,
    table_games,
    tables,
    tournament_lists,
    tournament_notes,
    tournaments,
)
from api.counts import Counts
from api.house import House
from api.http import Answer
from api.limits import Buckets
from api.problems import answered
from api.pulse import Pulse
from api.tokens import Tokens
from replay.lines import Lines

ROUTES: tuple[HTTPRouteHandler, ...] = (
    games.open_game,
    games.list_games,
    games.read_game,
    hands.deal,
    moves.play,
    rewinds.rewind,
    disputes.raise_dispute,
    disputes.list_disputes,
    disputes.appeal,
    disputes.withdraw,
    rulings.rule_on_dispute,
    rulings.rule,
    case_book.list_rulings,
    corrections.rectify,
    corrections.let_stand,
    corrections.adjust,
    conduct.suspend,
    conduct.resume,
    conduct.abandon,
    conduct.annul,
    conduct.add_note,
    notes.list_notes,
    notes.erase_words,
    conduct.seat_player,
    tables.read_table,
    score_sheets.read_score_sheet,
    scores.list_scores,
    scores.read_score_schema,
    player_scores.read_player_scores,
    histories.read_history,
    feed.read_feed,
    replays.read_replay,
    legal_moves.list_legal_moves,
    legal_moves.judge_move,
    audits.read_audit,
    branches.try_moves,
    players.register_players,
    player_lists.list_players,
    players.read_player,
    player_acts.name_player,
    player_acts.transfer_player,
    player_acts.merge_player,
    player_acts.separate_player,
    erasures.erase_player,
    personal_data.read_personal_data,
    clubs.list_clubs,
    tournaments.announce,
    tournament_lists.list_tournaments,
    tournaments.read_tournament,
    tournaments.end,
    tournament_lists.read_tournament_history,
    tournament_notes.list_tournament_notes,
    tournament_notes.erase_tournament_words,
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
    table_games.open_games,
    results.enter_result,
    results.confirm,
    results.forfeit,
    results.adjourn,
    results.withdraw_result,
    seating.read_seating,
    standings.read_standings,
    standings.compare_standings,
    records.read_record,
    records.import_records,
    docs.record_schema,
    rulesets.list_rulesets,
    rulesets.read_ruleset,
    health.live,
    health.ready,
    metrics.metrics,
    docs.openapi,
    docs.docs,
    docs.stylesheet,
)

BODY_LIMIT = 1024 * 1024


def create_app(house: House) -> Litestar:
    """The service over a house. Its lifespan starts the journal's writer and the projector, and stops them."""
    counts = Counts()
    state = {
        "house": house,
        "counts": counts,
        "tokens": Tokens(house.registers),
        "buckets": Buckets(house.limits),
        "lines": Lines(house.journal.history, house.journal.snapshots.last, house.journal.snapshots.spans),
        "pulse": Pulse(house.journal.store.wait_for, house.journal.head),
    }
    handlers = cast("dict[int | type[Exception], Callable[..., Any]]", {Exception: answered})
    return Litestar(
        route_handlers=[*_options(ROUTES), *ROUTES],
        state=State(state),
        lifespan=[_running],
        exception_handlers=handlers,
        before_send=[counts.sent, freshness.tell],
        request_max_body_size=BODY_LIMIT,
        openapi_config=None,
        logging_config=None,
    )


def _options(routes: Iterable[HTTPRouteHandler]) -> list[HTTPRouteHandler]:
    """What each address allows. Litestar's own answer names only the first handler of an address."""
    methods: dict[str, set[str]] = {}
    for handler in routes:
        for path in handler.paths:
            methods.setdefault(path, {"OPTIONS"}).update(handler.http_methods)
    return [_allowed(path, ", ".join(sorted(found))) for path, found in methods.items()]


def _allowed(path: str, methods: str) -> HTTPRouteHandler:
    @route(path, http_method="OPTIONS", status_code=200)
    async def allowed() -> Answer:
        return Answer(b"", status=204, headers=(("allow", methods),))

    return allowed


@asynccontextmanager
async def _running(app: Litestar) -> AsyncIterator[None]:
    house = cast(House, app.state["house"])
    await house.journal.start()
    try:
        await asyncio.to_thread(house.projector.start)
        try:
            yield
        finally:
            await asyncio.to_thread(house.projector.stop)
    finally:
        await house.journal.stop()
