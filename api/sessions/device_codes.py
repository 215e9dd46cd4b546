"""Hand over recording in mid-hand: a code with which another device records the same table, with the same rights."""

from api.common.act_handlers import register_act
from api.common.grant import scope_of_game
from api.common.service_address import service_addresses
from api.http.operations import Content
from api.http.request import Request, services_of
from api.http.response import Response
from api.sessions.codes import SCREEN, issuer_of, repeat_code, store_code
from api.sessions.responses import IssuedCode
from domain.access import Grant, OfGame, OfTable, Scope
from domain.journal.commits import CommandKey


async def _hand_over(request: Request, _: None, command: CommandKey | None) -> Response:
    giver, grant = await issuer_of(request), Grant(await _scope_of(request), request.user.grant.sees)
    terms = {"label": giver.label, "until_round": giver.until_round}
    service = service_addresses(request)[0]
    return await store_code(request, giver, command, role="recorder", grant=grant, service=service, lasts=SCREEN, **terms)


async def _scope_of(request: Request) -> Scope:
    """Return the recorder's own table or game; where their scope is larger, the game."""
    own = request.user.grant.scope
    if isinstance(own, OfTable | OfGame):
        return own
    return await scope_of_game(request.user, request.path_params["game"], services_of(request).journal)


async def _repeat(request: Request, id: str) -> Response:
    return await repeat_code(request, id, service_addresses(request)[0])


ACTS = (
    register_act(
        "/v1/games/{game:uuid}/handover",
        "hand_over_recording",
        "Issue a code with which another device records this table",
        {},
        _hand_over,
        _repeat,
        says={201: Content("the code, and its address as text and as a QR code", IssuedCode)},
        description=(
            "The code signs one browser in within ten minutes, as a recorder of your table or game with your rights, and never of "
            "more than that. Your own session continues. The other one ends with the code or token that let you in, and with the "
            "round that yours ends with. A repetition under the same Idempotency-Key answers without the code."
        ),
        refuses=(404, 422),
        role="recorder",
        within=None,
        tag="Access",
    ),
)
