"""The common part of all acts of officials in a game: their description, and a dry run with the score sheet before and after."""

from collections.abc import Callable

from litestar.handlers import HTTPRouteHandler
from msgspec import UNSET, Struct

from api.common.act_handlers import ActCommand, CommandContext, DecideAct, Prepare, act_handler
from api.common.commands import build_commit_response, commit_to_game
from api.common.event_views import CommandResponse, Remarks
from api.common.rulebooks import latest_rulebook_of
from api.http.errors import say
from api.http.operations import Method, describe_responses
from api.http.request import Need, Request, language_of, services_of
from api.http.response import Response
from api.rulings.requests import AcceptIllegalMove, IllegalMove
from api.rulings.responses import DryRunResponse, dry_run_response
from api.rulings.table_warnings import warn_about_table
from domain import texts
from domain.act_validation import complete_act
from domain.errors import InvalidFormatError, Refused
from domain.events import game
from domain.game import Game
from domain.moves import Line, bind_rules
from domain.rules import Rulebook


def game_act(
    path: str,
    id: str,
    summary: str,
    body: type[Struct],
    need: Need,
    decide: DecideAct[Game],
    *,
    prepare: Prepare | None = None,
    text: str | None = "reason",
    says: str = "recorded",
    description: str = "",
    method: Method = "POST",
) -> HTTPRouteHandler:
    """Make the handler of an act. ``path`` below the game, ``need`` the role that it needs."""
    result = "the result, not recorded, and the score sheet before and after"
    return act_handler(
        f"/v1/games/{{game:uuid}}/{path}",
        id,
        summary,
        body,
        need,
        decide,
        _commit_act,
        describe_responses(CommandResponse, DryRunResponse, says, result),
        prepare=prepare,
        text=text,
        description=description,
        dry_run="With `dry_run=true` nothing is recorded; the answer shows the score sheet before and after.",
        tag="Rulings",
        method=method,
    )


def build_decision(draft: Callable[[CommandContext[Game]], game.Act]) -> DecideAct[Game]:
    """Return a decision that drafts the act and checks that the game allows it."""
    return lambda on: (complete_act(on.now, draft(on), lambda: rules_of(on)),)


async def _commit_act(request: Request, command: ActCommand[Game]) -> Response:
    id, note, dry_run = request.path_params["game"], command.note, command.dry_run
    receipt = await commit_to_game(request, id, command.decide, happened_at=command.happened_at, note=note, dry_run=dry_run)
    remarks: Remarks = await warn_about_table(request, receipt) or UNSET
    if dry_run:
        return await dry_run_response(request, receipt, note, remarks)
    return build_commit_response(request, receipt, remarks=remarks)


def parse_illegal_move(request: Request, body: IllegalMove | AcceptIllegalMove) -> object:
    """Return the move as it came, or its line. Raises ``InvalidFormatError`` for neither, and for both."""
    if body.text is UNSET:
        if body.move is UNSET:
            raise InvalidFormatError("malformed_body", texts.say("form.missing", name="move"), "move")
        return body.move
    if body.move is not UNSET:
        raise InvalidFormatError("malformed_body", say("move_or_text"), "text")
    return Line(body.seat, body.text, language_of(request))


def rules_of(on: CommandContext[Game]) -> Rulebook:
    """Return the rulebook of the hand, or the newest if that edition is not kept any more: officials can always make corrections."""
    services = services_of(on.request)
    try:
        return bind_rules(services, on.now)
    except Refused:
        return latest_rulebook_of(services.rulesets, on.now.setup)
