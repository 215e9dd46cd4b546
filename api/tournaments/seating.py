"""The seating of a round: as JSON, and as a page to print with a line for each player and a card for each table, four on a sheet to cut."""

import asyncio
import re
from collections.abc import Mapping, Sequence

from litestar.params import FromPath
from msgspec import UNSET, UnsetType

from api.common.checkpoints.naming import PrintedCheckpoint, latest_printed
from api.common.names import letter_places, names_for_caller
from api.common.texts import text_by_id
from api.http.decoding import read_query
from api.http.media_types import JSON
from api.http.operations import Content, reads
from api.http.pages import SECURITY, render_template
from api.http.request import Request, language_of
from api.http.response import HTML, Format, Response, choose_format, encode, schemas
from api.tournaments.reading import current_tournament, tournament_response
from api.tournaments.requests import SeatingFormat, SeatingQuery
from api.tournaments.responses import SeatedPlayer, SeatingPlan, SeatingTable
from domain.name_validation import fold_text
from domain.texts import load_catalog, words_of
from domain.tournament.state import Round
from domain.tournament.tournament import Tournament

FORMATS: Mapping[SeatingFormat, Format] = {"json": Format(JSON, SeatingPlan), "html": HTML}
_VARY = "accept, accept-language, authorization"


@reads(
    "/v1/tournaments/{tournament:str}/rounds/{round:int}/seating",
    "read_seating",
    "Read the seating: a card for each table, and all players in alphabetical order",
    description=(
        "The seating comes as JSON or a page to print, by `Accept` or by `format`; `format` takes precedence. With `slips=true` "
        "the page has a score slip for each table, to write on. Officials "
        "see names, others see the names of the hall or the public."
    ),
    query=SeatingQuery,
    responses={200: Content("the seating", schemas(FORMATS), headers=("ETag",))},
    refuses=(406,),
    headers=("Accept-Language",),
)
async def read_seating(request: Request, tournament: FromPath[str], round: FromPath[int]) -> Response:
    query = read_query(request, SeatingQuery)
    format = choose_format(request, query.format, FORMATS)
    now = await current_tournament(request, tournament)
    at = now.round(round)
    shown = await names_for_caller(request, tournament, (player for entrant in now.entrants for player in entrant.players(round)))
    plan = _plan(now, at, shown)
    match format:
        case "json":
            return tournament_response(request, now, encode(plan), vary=_VARY)
        case "html":
            title = await asyncio.to_thread(text_by_id, request, now.plan.title)
            spoken = language_of(request)
            headers = (*SECURITY, ("content-language", spoken))
            checkpoint = await latest_printed(request, spoken, wanted=query.checkpoint)
            if query.slips:
                page = await asyncio.to_thread(render_score_forms, plan, now.plan.parties, title or tournament, spoken)
            else:
                page = await asyncio.to_thread(as_page, plan, now.plan.parties, title or tournament, spoken, checkpoint)
            return tournament_response(request, now, page, media_type=HTML.content_type, headers=headers, vary=_VARY)


def as_page(
    plan: SeatingPlan, parties: Sequence[Sequence[int]], title: str, language: str, checkpoint: PrintedCheckpoint | None = None
) -> bytes:
    """Return the page. Seats are named as people name them: by the compass, else counted from 1."""
    return render_template("seating.html.j2", {**_values(plan, title, language), "parties": parties, "checkpoint": checkpoint})


HANDS = 8
"""The lines of a slip for hands; a longer game continues on its back."""


def render_score_forms(plan: SeatingPlan, parties: Sequence[Sequence[int]], title: str, language: str) -> bytes:
    """Return the page with a score slip for each table: the names, lines for hands, the result and signatures; four on a sheet to cut."""

    def sides_of(table: SeatingTable) -> list[list[SeatedPlayer]]:
        sides = ([table.seats[seat] for seat in party if seat < len(table.seats)] for party in parties)
        return [side for side in sides if side]

    return render_template("slips.html.j2", {**_values(plan, title, language), "sides_of": sides_of, "hands": HANDS})


def _values(plan: SeatingPlan, title: str, language: str) -> dict[str, object]:
    return {
        "language": language,
        "words": words_of(load_catalog(__package__), language),
        "plan": plan,
        "title": title,
        "signs": {table.table: letter_places(len(table.seats), language) for table in plan.tables},
    }


def _plan(now: Tournament, round: Round, shown: Mapping[str, str]) -> SeatingPlan:
    tables = [SeatingTable(table=one.name, seats=_seats(now, round.number, one.name, one.seats, shown)) for one in round.tables]
    byes = [
        _seat_without_table(now, entrant, player, round.number, half, shown)
        for half, free in ((UNSET, round.byes), (True, now.half_byes(round)))
        for entrant in free
        for player in now.entrant(entrant).players(round.number)
    ]
    players = sorted([*(seat for table in tables for seat in table.seats), *byes], key=lambda one: _name_sort_key(one.shown))
    return SeatingPlan(tournament=now.plan.tournament, round=round.number, position=now.position, tables=tables, players=players)


def _seat_without_table(
    now: Tournament, entrant: int, player: str, round: int, half: bool | UnsetType, shown: Mapping[str, str]
) -> SeatedPlayer:
    one = now.entrant(entrant)
    return SeatedPlayer(
        entrant=entrant,
        player=player,
        shown=shown[player],
        table=None,
        seat=None,
        club=one.labels.club or UNSET,
        team=one.labels.team or UNSET,
        half_bye=half,
        partners=_others(player, one.players(round), shown),
    )


def _seats(now: Tournament, round: int, table: str, seats: tuple[int, ...], shown: Mapping[str, str]) -> list[SeatedPlayer]:
    players = now.players(round, seats)
    together = {seat: [players[one] for one in party] for party in now.party_seats(seats) for seat in party}
    return [
        SeatedPlayer(
            entrant=seats[seat],
            player=player,
            shown=shown[player],
            table=table,
            seat=seat,
            club=now.entrant(seats[seat]).labels.club or UNSET,
            team=now.entrant(seats[seat]).labels.team or UNSET,
            partners=_others(player, together[seat], shown),
        )
        for seat, player in enumerate(players)
    ]


def _others(player: str, together: Sequence[str], shown: Mapping[str, str]) -> list[str]:
    return [shown[one] for one in together if one != player]


def _name_sort_key(name: str) -> str:
    """Return the key for sorting names; capitals and accents do not matter, and Entrant 2 comes before Entrant 10."""
    return re.sub(r"\d+", lambda number: number[0].zfill(9), fold_text(name))


# The lots of a tournament: their commitment in the announcement, and the input of the first pairing.
