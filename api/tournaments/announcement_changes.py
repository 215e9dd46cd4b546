"""Corrections of the announcement until something is paired; of the number of rounds, of who enters results, and of ratings, later, too."""

from collections.abc import Sequence
from typing import Any

from litestar.params import FromPath
from msgspec import UNSET
from msgspec.structs import asdict

from api.common.event_views import remark_views
from api.common.rulebooks import ruleset_named
from api.common.texts import note_title
from api.http.decoding import DryRun, HappenedAt, Incoming, read_body, read_query
from api.http.operations import describe_responses, writes
from api.http.request import Request
from api.http.response import Response
from api.tournaments.commands import Receipts, commit_to_tournament, tournament_act, tournament_command_response
from api.tournaments.requests import CorrectAnnouncement, MaybeRating, announcement_input
from api.tournaments.responses import TournamentCommandResponse
from domain.errors import Refused
from domain.events import Event
from domain.events.base import TextRef
from domain.events.tournament import EntryRated, TournamentAnnounced, TournamentCorrected
from domain.tournament.announcement import correct_announcement, rate_entry
from domain.tournament.tournament import Tournament
from domain.tournament.warnings import Remark, warn_about_announcement, warn_about_change_after_draw


@writes(
    "/v1/tournaments/{tournament:str}/correction",
    "correct_tournament",
    "Correct the announcement of a tournament",
    description=(
        "Fields that are left out stay as they are. Everything is judged as in an announcement, and the entries have to "
        "fit. After the first draw only `rounds` may change, with a remark, and `own_results`; anything else is 422 "
        "`announcement_holds`. "
        "`id`, `seed` and `dice` never change "
        "(`never_corrected`). With `dry_run=true` nothing is recorded."
    ),
    query=DryRun,
    body=CorrectAnnouncement,
    responses=describe_responses(TournamentCommandResponse),
    refuses=(422,),
    role="director",
)
async def correct(request: Request, tournament: FromPath[str]) -> Response:
    dry, body = read_query(request, DryRun).dry_run, await read_body(request, CorrectAnnouncement)
    note = note_title(request, body.title)

    def decide(now: Tournament) -> tuple[Event]:
        _check_fixed(now.plan, body)
        title = now.plan.title if body.title is UNSET else note.ref if note else None
        return (_build_changes(request, now, body, title),)

    receipt = await commit_to_tournament(request, tournament, decide, note=note, happened_at=body.happened_at, dry_run=dry)
    remarks = remark_views(request, [*warn_about_announcement(receipt.after.plan), *_warn_about_change_after_draw(receipt, None)])
    return tournament_command_response(request, receipt, remarks, dry=dry)


def _check_fixed(plan: TournamentAnnounced, body: CorrectAnnouncement) -> None:
    dice = 0 if plan.lots is UNSET else plan.lots.dice
    for field, told, stands in (("id", body.id, plan.tournament), ("seed", body.seed, plan.seed), ("dice", body.dice, dice)):
        if told not in (UNSET, stands):
            raise Refused("never_corrected", field=field)


def _build_changes(request: Request, now: Tournament, body: CorrectAnnouncement, title: TextRef | None) -> Event:
    ruleset = ruleset_named(request, now.plan.ruleset if body.ruleset is UNSET else body.ruleset)
    stays: dict[str, Any] = asdict(now.plan)
    if ruleset.key != now.plan.ruleset:
        stays["options"] = dict[str, Any]()
    return correct_announcement(now, ruleset, title, announcement_input(body, stays))


class RateEntry(Incoming, frozen=True, kw_only=True):
    """The rating by which an entrant is seeded; null for none."""

    rating: MaybeRating
    happened_at: HappenedAt = None


def _warn_about_change_after_draw(receipt: Receipts, _: object) -> Sequence[Remark]:
    changes = [one.event for one in receipt.events if isinstance(one.event, TournamentCorrected | EntryRated)]
    return [remark for event in changes if receipt.before for remark in warn_about_change_after_draw(receipt.before, event)]


RATING = tournament_act(
    "entries/{entrant:int}/rating",
    "rate_entry",
    "Correct the rating of an entrant",
    RateEntry,
    "recorder",
    lambda on: (rate_entry(on.now, on.path_parameter("entrant"), on.body.rating),),
    remarks=_warn_about_change_after_draw,
    description=(
        "Seeds and draws follow from the rating; null removes it. After the first draw it counts from the next one on, and a remark "
        "says so; in a knock-out the answer is 422 `announcement_holds` then."
    ),
)
