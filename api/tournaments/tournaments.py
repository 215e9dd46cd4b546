"""Announcement of a tournament: everything that decides who wins."""

from collections.abc import Sequence
from contextlib import suppress

from msgspec import UNSET
from msgspec.structs import replace

from api.common.commands import call_of, replay_header
from api.common.event_views import RemarkView, remark_views
from api.common.rulebooks import ruleset_named
from api.common.texts import note_title
from api.http.decoding import DryRun, read_body, read_query
from api.http.operations import describe_responses, writes
from api.http.request import Request, services_of
from api.http.response import Response, no_store_response
from api.tournaments.commands import Receipts, tournament_command_response
from api.tournaments.lists import tournament_view
from api.tournaments.lots import keep_for_lots, lots_of
from api.tournaments.requests import AnnounceTournament, announcement_input
from api.tournaments.responses import TournamentCommandResponse, TournamentView
from domain.errors import Exists
from domain.events.tournament import TournamentAnnounced
from domain.journal.commits import RegisteredText
from domain.time_zones import to_local
from domain.tournament.announcement import announce_tournament
from domain.tournament.tournament import TOURNAMENT, tournament_stream
from domain.tournament.warnings import warn_about_announcement

_SAME_DAY = 20
"""Tournaments of a ruleset announced on one day that get a short id."""


@writes(
    "/v1/tournaments",
    "announce_tournament",
    "Announce a tournament",
    description=(
        "The announcement fixes ruleset, options, format, scoring and tie-breaks: everything that decides who wins. Lots "
        "and draws follow from a secret to which the service commits now, mixed with the entries, and with `dice` that are "
        "thrown after the last entry; or from an open `seed`. With `dry_run=true` nothing is recorded."
    ),
    query=DryRun,
    body=AnnounceTournament,
    responses=describe_responses(
        TournamentCommandResponse,
        TournamentView,
        says="announced",
        result="the tournament, not announced",
        creates={"tournament": "/tournament"},
    ),
    refuses=(409, 422),
    role="director",
)
async def announce(request: Request) -> Response:
    dry, body, services = read_query(request, DryRun).dry_run, await read_body(request, AnnounceTournament), services_of(request)
    text, ids, call = note_title(request, body.title), _ids(request, body), await call_of(request, body.happened_at)
    plan, secret = _plan(request, body, ids[0], text)
    if not dry and await services.journal.find_receipt(TOURNAMENT, call) is None:
        await keep_for_lots(request, plan, secret)
    for plan in (plan, *(replace(plan, tournament=id) for id in ids[1:])):  # noqa: B020
        with suppress(Exists):
            receipt = await services.journal.begin(TOURNAMENT, call, tournament_stream(plan.tournament), (plan,), text, dry_run=dry)
            break
    else:
        raise Exists("tournament", plan.tournament)
    remarks = remark_views(request, warn_about_announcement(plan))
    return _would_be_announced(receipt, text, remarks) if dry else tournament_command_response(request, receipt, remarks)


def _ids(request: Request, body: AnnounceTournament) -> Sequence[str]:
    """Return the requested id; else readable ids to be tried in this order.

    The title is in none of them: an id stays in events permanently, and a title can be erased.
    """
    if body.id is not None:
        return (body.id,)
    services = services_of(request)
    day = f"{body.ruleset}-{to_local(services.clock(), services.time_zone).date().isoformat()}"
    return (day, *(f"{day}-{number}" for number in range(2, _SAME_DAY + 1)), f"{day}-{services.new_id()}")


def _would_be_announced(receipt: Receipts, title: RegisteredText | None, remarks: list[RemarkView]) -> Response:
    view = replace(tournament_view(receipt.after, title.text.body if title else None), remarks=remarks or UNSET)
    if not receipt.repeated:
        view = replace(view, position=0, lots=replace(view.lots, commitment=None, digits=None))  # of a secret that is not stored
    return no_store_response(view, headers=replay_header(repeated=receipt.repeated))


def _plan(request: Request, body: AnnounceTournament, id: str, title: RegisteredText | None) -> tuple[TournamentAnnounced, bytes]:
    """Return the announcement with the secret of its lots."""
    ruleset, (lots, secret) = ruleset_named(request, body.ruleset), lots_of(request, body)
    zone, ref = body.time_zone or services_of(request).time_zone, title.ref if title else None
    return announce_tournament(ruleset, id, ref, announcement_input(body), lots, body.hall_names, zone), secret
