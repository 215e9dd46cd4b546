"""Tournaments: announcing one, the list, one in full, its history, its end."""

import asyncio

from litestar.params import FromPath

from api.acts import call_of, sees
from api.bodies import body
from api.directing import act, answered, done, games_of, held, operation, told
from api.freshness import reach, reach_head
from api.http import Answer, Asked, encoded, house_of
from api.operations import JSON, Content, Operation, reads, writes
from api.queries import Nothing, query
from api.reading import NO_CACHE, next_link, tagged
from api.tournament_answers import TournamentDone, TournamentHistory, Tournaments, TournamentShort, TournamentTold
from api.tournament_wire import Announce, End, TournamentsQuery
from api.wire import DryRun, HistoryQuery
from api.words import text_of
from domain.errors import Exists, Malformed
from domain.events import Event, TextRef
from domain.events.tournament import TournamentAnnounced
from domain.journal.calls import note
from domain.tournament import rounds
from domain.tournament.announcement import Wanted, announced
from domain.tournament.tournament import TOURNAMENT, Tournament, stream_of
from projections import tournament_list
from projections.tournament_list import TournamentFilters
from projections.tournaments import TOURNAMENTS, State, TournamentRow

_EXAMPLE = {
    "id": "spring-open",
    "title": "Spring Open",
    "ruleset": "casino",
    "seats": 4,
    "options": {"partners": True},
    "format": "round_robin",
    "scoring": {"by": "match_points", "places": [2, 0], "bye": 2},
    "tie_breaks": ["direct_encounter", "score_difference"],
}


@writes(
    "/v1/tournaments",
    Operation(
        id="announce_tournament",
        tag="Tournaments",
        summary="Announce a tournament",
        description="Ruleset, options, format, scoring and tie-breaks are pinned: everything that decides who wins. "
        "With `dry_run=true` nothing is recorded.",
        query=DryRun,
        body={JSON: Announce},
        body_examples={"casino": _EXAMPLE},
        answers={
            201: Content("announced", {JSON: TournamentDone}, headers=("Location", "ETag")),
            200: Content("what would be announced", {JSON: TournamentTold}),
        },
        refuses=(409, 422),
        headers=("Idempotency-Key",),
        role="director",
    ),
)
async def announce(request: Asked) -> Answer:
    dry, wanted, house = query(request, DryRun).dry_run, await body(request, Announce), house_of(request)
    text = note(str(house.new_id()), wanted.title) if wanted.title is not None else None
    plan = _plan(request, wanted, text.ref if text else None)
    if dry:
        told = _told(Tournament(stream_of(plan.tournament), 0, b"", plan), wanted.title)
        return Answer(encoded(told), headers=(("cache-control", "no-store"),))
    try:
        call, stream = await call_of(request, wanted.happened_at), stream_of(plan.tournament)
        return done(request, await house.journal.begin(TOURNAMENT, call, stream, (plan,), text))
    except Exists:
        raise Exists("tournament", plan.tournament) from None


def _plan(asked: Asked, wanted: Announce, title: TextRef | None) -> TournamentAnnounced:
    house = house_of(asked)
    ruleset = house.rulesets.get(wanted.ruleset)
    if ruleset is None:
        raise Malformed("unknown_ruleset", f"there is no ruleset {wanted.ruleset!r}; known are {', '.join(house.rulesets)}", "ruleset")
    asked.scope["state"]["ruleset"] = wanted.ruleset
    given = Wanted(
        options=wanted.options,
        seats=wanted.seats,
        format=wanted.format,
        entrants=wanted.entrants,
        scoring=wanted.scoring,
        tie_breaks=tuple(wanted.tie_breaks),
        rounds=wanted.rounds,
        games=wanted.games,
        openness=wanted.openness,
    )
    id, seed = wanted.id or str(house.new_id()), wanted.seed or house.new_id().hex
    return announced(ruleset, id, title, given, seed)


@reads(
    "/v1/tournaments",
    Operation(
        id="list_tournaments",
        tag="Tournaments",
        summary="Tournaments, newest first",
        description="All filters given must hold. `Link` names the next page.",
        query=TournamentsQuery,
        answers={200: Content("a page of tournaments", {JSON: Tournaments}, headers=("Link",))},
        refuses=(422, 503),
    ),
)
async def list_tournaments(request: Asked) -> Answer:
    wanted = query(request, TournamentsQuery)
    await reach(request, TOURNAMENTS.name, wanted.min_sequence)
    await reach_head(request, TOURNAMENTS.name)
    page = await asyncio.to_thread(_page, request, wanted)
    headers = [("cache-control", NO_CACHE), ("vary", "authorization")]
    if page.next:
        headers.append(("link", next_link(request, cursor=page.next)))
    return Answer(encoded(page), headers=headers)


def _page(asked: Asked, wanted: TournamentsQuery) -> Tournaments:
    filters = TournamentFilters(**{name: getattr(wanted, name) for name in TournamentFilters.__struct_fields__})
    found = tournament_list.tournaments(house_of(asked).store, filters, wanted.cursor, wanted.limit)
    return Tournaments(tournaments=[_short(asked, row) for row in found.rows], next=found.next)


def _short(asked: Asked, row: TournamentRow) -> TournamentShort:
    same = ("ruleset", "format", "state", "announced_at", "entrants", "rounds", "closed", "position", "sequence", "updated_at")
    return TournamentShort(id=row.tournament, title=text_of(asked, row.title), **{name: getattr(row, name) for name in same})


@reads(
    "/v1/tournaments/{tournament:str}",
    Operation(
        id="read_tournament",
        tag="Tournaments",
        summary="A tournament: what was announced, and how far it is",
        answers={200: Content("the tournament", {JSON: TournamentTold}, headers=("ETag",))},
        refuses=(404,),
        headers=("If-None-Match",),
    ),
)
async def read_tournament(request: Asked, tournament: FromPath[str]) -> Answer:
    query(request, Nothing)
    now = await held(request, tournament)
    title = await asyncio.to_thread(text_of, request, now.plan.title)
    return answered(request, now, encoded(_told(now, title)))


def _told(now: Tournament, title: str | None) -> TournamentTold:
    plan = now.plan
    same = ("ruleset", "options", "seats", "parties", "format", "entrants", "scoring", "tie_breaks", "rounds", "games", "openness", "seed")
    return TournamentTold(
        id=plan.tournament,
        title=title,
        position=now.position,
        state=_state(now),
        entered=sum(entrant.until is None for entrant in now.entrants),
        paired=len(now.rounds),
        closed=sum(round.closed for round in now.rounds),
        **{name: getattr(plan, name) for name in same},
    )


def _state(now: Tournament) -> State:
    if now.ended:
        return now.ended.how
    return "running" if now.rounds else "announced"


@writes(
    "/v1/tournaments/{tournament:str}/ending",
    operation(
        "end_tournament",
        "End a tournament after its last round, or cancel it",
        End,
        "director",
        description="Every round has to be closed and every adjourned table finished; 422 says who waits for what.",
        examples={"finished": {"how": "finished"}, "cancelled": {"how": "cancelled", "reason": "the hall is closed"}},
    ),
)
async def end(request: Asked, tournament: FromPath[str]) -> Answer:
    dry, wanted = query(request, DryRun).dry_run, await body(request, End)
    games = await games_of(request, tournament)

    def ended(now: Tournament, ref: TextRef | None) -> tuple[Event]:
        return (rounds.cancelled(now, ref) if wanted.how == "cancelled" else rounds.finished(now, games, ref),)

    return await act(request, tournament, ended, words=wanted.reason, happened_at=wanted.happened_at, dry=dry)


@reads(
    "/v1/tournaments/{tournament:str}/history",
    Operation(
        id="read_tournament_history",
        tag="Tournaments",
        summary="The recorded events of a tournament, oldest first",
        description="Its games have histories of their own. `Link` names the next page.",
        query=HistoryQuery,
        answers={200: Content("events", {JSON: TournamentHistory}, headers=("ETag", "Link"))},
        refuses=(404,),
        headers=("If-None-Match",),
    ),
)
async def read_tournament_history(request: Asked, tournament: FromPath[str]) -> Answer:
    wanted = query(request, HistoryQuery)
    now = await held(request, tournament)
    page = await asyncio.to_thread(_history, request, now, wanted)
    links = [("link", next_link(request, after=page.next))] if page.next else []
    return tagged(request, f"{now.position}.{sees(request)}.json", lambda: encoded(page), headers=links)


def _history(asked: Asked, now: Tournament, wanted: HistoryQuery) -> TournamentHistory:
    recorded = house_of(asked).journal.history(now.id, wanted.after, wanted.limit)
    last = recorded[-1].position if recorded else now.position
    events = [told(asked, one, linked=True) for one in recorded if one.position <= now.position]
    following = last if last < now.position else None
    return TournamentHistory(tournament=now.plan.tournament, position=now.position, events=events, next=following)
