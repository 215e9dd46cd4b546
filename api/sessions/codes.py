"""Join codes: a director lets others sign in without giving them a token."""

import asyncio
from collections import Counter
from collections.abc import Mapping
from datetime import timedelta
from functools import partial
from typing import Any
from urllib.parse import quote

from msgspec import UNSET
from msgspec.structs import replace

from api.common.act_handlers import register_act
from api.common.commands import Change, IfLost
from api.common.grant import decide_grant, scope_of_game
from api.common.lists import page_of
from api.common.pages.shell import draw_code
from api.common.service_address import is_local_only, service_addresses
from api.http.browsers.cookies import code_from, digest
from api.http.decoding import PageQuery, read_body, read_query
from api.http.errors import say
from api.http.operations import Content, ends, reads
from api.http.request import Request, services_of
from api.http.response import Response, no_store_response
from api.sessions.code_terms import GrantIssuer, check_round, check_validity, first, issuer_of, permanent_grant
from api.sessions.entering import DEVICES, allow_any_role, is_valid
from api.sessions.responses import CodeList, CodeWithdrawn, GoodFor, IssueCode, IssuedCode, code_view
from domain.access import HOUSE, Grant, OfGame, OfTable, Scope, check_token_limit, covers, is_within
from domain.errors import Forbidden, InvalidFormatError, Unknown
from domain.journal.commits import CommandKey
from domain.journal.registers import stamp
from domain.journal.sessions import JoinCode

SCREEN = timedelta(minutes=10)
_LASTS: Mapping[GoodFor, timedelta] = {"screen": SCREEN, "tournament": timedelta(days=180)}
"""The maximum. For a tournament: so that codes of one that was announced and never played do not stay in force."""


async def _issue(request: Request, body: IssueCode) -> Change:
    services = services_of(request)
    check_validity(body)
    service = _service_of(request, body)
    grant = permanent_grant(body, (await decide_grant(request, body)).grant)
    until_round = await check_round(services, body, grant)
    lasting, giver = body.good_for == "tournament", await issuer_of(request)
    terms = {
        "label": body.label,
        "until_round": first(until_round, giver.until_round),
        "many": body.good_for == "many" or (lasting and DEVICES[body.role] is None),
        "lasting": lasting,
        "devices": DEVICES[body.role] if lasting else None,
    }
    return await _decide_code(request, giver, role=body.role, grant=grant, service=service, lasts=_LASTS.get(body.good_for), **terms)


async def _decide_code(
    request: Request,
    giver: GrantIssuer,
    *,
    role: str,
    grant: Grant,
    service: str,
    lasts: timedelta | None,
    **terms: Any,
) -> Change:
    """Return the change that stores a new code, and answers with it, its address and its QR code. ``terms``: further fields of the code.

    Raises ``Refused`` where there are too many codes.
    """
    services = services_of(request)
    known = await asyncio.to_thread(services.registers.list_codes, stamp(services.clock()))
    check_token_limit("codes", request.user.id, (one.issued_by for one in known))
    now = services.clock()
    code = JoinCode(
        id=services.new_salt()[:4].hex(),
        hash="",
        role=role,
        grant=grant,
        issued_at=stamp(now),
        issued_by=request.user.id,
        until_at=first(None if lasts is None else stamp(now + lasts), request.user.expires_at),
        giver_token=giver.token,
        giver_code=giver.code,
        **terms,
    )
    told = IssuedCode(only_here=is_local_only(service), issued=code_view(code, 0))

    def store(command: CommandKey | None) -> IssuedCode:
        secret = code_from(services.new_salt())
        services.registers.add_code(replace(code, hash=digest(secret)), command)
        address = sign_in_address(service, secret)
        return replace(told, code=secret, address=address, qr=draw_code(address))

    async def answer(command: CommandKey | None) -> Response:
        return no_store_response(await asyncio.to_thread(store, command), status=201)

    return Change(told, answer)


async def _repeat_issue(request: Request, id: str) -> Response:
    body = await read_body(request, IssueCode)
    return await repeat_code(request, id, body.address or service_addresses(request)[0], if_lost=f"/v1/codes/{id}")


async def repeat_code(request: Request, id: str, service: str, if_lost: IfLost = UNSET) -> Response:
    """Answer once more about a code that was issued, without the code itself."""
    services = services_of(request)
    code = await asyncio.to_thread(services.registers.code_of, id)
    assert code is not None  # codes are never removed
    sessions = await asyncio.to_thread(services.registers.list_sessions, stamp(services.clock()))
    used = sum(session.code == id for session in sessions)
    told = IssuedCode(if_lost=if_lost, only_here=is_local_only(service), issued=code_view(code, used))
    return no_store_response(told, status=201)


def sign_in_address(service: str, code: str) -> str:
    return f"{service}/in#{quote(code)}"


def _service_of(request: Request, body: IssueCode) -> str:
    """Return the address on the code. Raises ``InvalidFormatError`` for one that is not offered: a code has to lead to this service."""
    offered = service_addresses(request)
    if body.address is not None and body.address not in offered:
        raise InvalidFormatError("malformed_body", say("code_address", addresses=offered), "address")
    return body.address or offered[0]


def _can_manage_code(request: Request, code: JoinCode) -> bool:
    return request.user.role == "director" and is_within(code.grant.scope, request.user.grant.scope)


@reads(
    "/v1/codes",
    "list_codes",
    "List the codes that are still valid",
    description="Directors see the codes within their scope, without the codes themselves; others see none.",
    query=PageQuery,
    responses={200: Content("a page of codes, oldest first", CodeList, headers=("Link",))},
    within="body",
    admit=allow_any_role,
)
async def list_codes(request: Request) -> Response:
    services, query = services_of(request), read_query(request, PageQuery)
    kept = await asyncio.to_thread(services.registers.list_codes, stamp(services.clock()))
    mine = (code for code in kept if _can_manage_code(request, code))
    place, good = lambda code: f"{code.issued_at} {code.id}", partial(is_valid, services)
    shown, next, links = await page_of(request, query, mine, place, good)
    sessions = await asyncio.to_thread(services.registers.list_sessions, stamp(services.clock()))
    used = Counter(session.code for session in sessions)
    told = CodeList(items=[code_view(code, used[code.id]) for code in shown], next=next)
    addresses = service_addresses(request)
    if request.user.role == "director" and is_local_only(addresses[-1]):
        told = replace(told, addresses=list(addresses), only_here=is_local_only(addresses[0]) or UNSET)
    return no_store_response(told, headers=links, vary="authorization")


async def _withdraw(request: Request, _: None) -> Change:
    services, code = services_of(request), request.path_params["code"]
    found = await asyncio.to_thread(services.registers.code_of, code)
    if found is None and covers(request.user.grant.scope, HOUSE):
        raise Unknown("code", code)
    if found is None or not _can_manage_code(request, found):
        raise Forbidden(say("code_unknown"), "director")
    return Change(CodeWithdrawn(id=code), partial(asyncio.to_thread, services.registers.withdraw_code, code, stamp(services.clock())))


async def _tell_withdrawn(request: Request, _: str) -> Response:
    return no_store_response(CodeWithdrawn(id=request.path_params["code"]), vary="authorization")


ACTS = (
    register_act(
        "/v1/codes",
        "issue_code",
        "Issue a code that signs a browser in",
        IssueCode,
        _issue,
        _repeat_issue,
        says={201: Content("the code, and its address as text and as a QR code", IssuedCode)},
        description=(
            "A code lies within your scope and gives no more than you have. The answer contains the code, only this once; in "
            "its address only the fragment holds it, which browsers send to no server. A repetition under the same "
            "Idempotency-Key issues no second code. It answers with the first one, without the code, which is not stored; "
            "`if_lost` says where to withdraw it. Then issue another one."
        ),
        refuses=(404, 422),
    ),
    register_act(
        "/v1/codes/{code:str}",
        "withdraw_code",
        "Withdraw a code, by its id",
        {},
        _withdraw,
        _tell_withdrawn,
        says={200: Content("withdrawn", CodeWithdrawn)},
        description="Sessions that were opened with the code also end, within a second.",
        route=ends,
    ),
)


# Hand over recording in mid-hand: a code with which another device records the same table, with the same rights.


async def _hand_over(request: Request, _: None) -> Change:
    giver, grant = await issuer_of(request), Grant(await _scope_of(request), request.user.grant.sees)
    terms = {"label": giver.label, "until_round": giver.until_round}
    service = service_addresses(request)[0]
    return await _decide_code(request, giver, role="recorder", grant=grant, service=service, lasts=SCREEN, **terms)


async def _scope_of(request: Request) -> Scope:
    """Return the recorder's own table or game; where their scope is larger, the game."""
    own = request.user.grant.scope
    if isinstance(own, OfTable | OfGame):
        return own
    return await scope_of_game(request.user, request.path_params["game"], services_of(request).journal)


async def _repeat(request: Request, id: str) -> Response:
    return await repeat_code(request, id, service_addresses(request)[0])


HANDOVER = (
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
