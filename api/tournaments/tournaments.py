"""Tournaments: announcing one, the list, one in full, its history, its end."""

import asyncio

from litestar.params import FromPath

from api.common.commands import call_of
from api.http.decoding import body
from api.http.fields import DryRun
from api.http.operations import (
    JSON,
    Content,
    Operation,
    reads,
    writes,
)
from api.http.query import Nothing, query
from api.http.response import (
    Answer,
    Asked,
    encoded,
    house_of,
)
from api.rulings.texts import text_of
from api.tournaments.acts import act, done, operation
from api.tournaments.reading import answered, games_of, held
from api.tournaments.requests import Announce, End
from api.tournaments.responses import TournamentDone, TournamentTold
from domain.errors import Exists, Malformed
from domain.events import Event, TextRef
from domain.events.tournament import TournamentAnnounced
from domain.journal.calls import note
from domain.tournament import rounds
from domain.tournament.announcement import Wanted, announced
from domain.tournament.tournament import TOURNAMENT, Tournament, stream_of
from projections.models.tournaments.projection import State

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
