"""Sign in and out: for browsers as a plain form, for pages with a script as JSON."""

from collections.abc import Mapping
from urllib.parse import quote, urlencode

from api.common.pages.shell import Page, page_language, render_page, security, words
from api.http.addresses import is_local_host, own_path
from api.http.browsers.cookies import cookie, is_secure, read_session_cookies
from api.http.browsers.sessions import Sessions
from api.http.decoding import check_media_type, convert_value, read_body, read_form, read_query
from api.http.errors import AuthenticationError, TooManyAttempts
from api.http.guards import own_pages
from api.http.media_types import HTML, JSON
from api.http.operations import PAGES, Content, reads, writes
from api.http.request import ROLES_FOR, Request, header, part_of, role_name
from api.http.response import Response, no_store_response
from api.sessions.entering import Entered, enter_by
from api.sessions.responses import InQuery, SignedIn, SignedOut, SignIn, grant_view
from domain.access import Everything, OfGame, OfSeries, OfTable, OfTournament, Scope
from domain.errors import Refused
from domain.journal.sessions import Session
from domain.texts import Phrase, render

_PACKAGE = __package__ or ""

# The page after signing in, if no other page was requested.


def start_page(session: Session) -> str:
    """Return its path: a player's own page, a table, a game, the desk of a tournament; else the first page."""
    match session.role, session.grant.scope:
        case "player", _:
            return "/me"
        case _, OfTable(tournament, table):
            return f"/t/{quote(tournament, safe='')}/{quote(table, safe='')}"
        case role, OfGame(game):
            return f"/g/{game}/record" if role in ROLES_FOR["recorder"] else f"/g/{game}"
        case "director", OfTournament(tournament):
            return f"/t/{quote(tournament, safe='')}/desk"
        case _:
            return "/"


# The page to sign in. It works as a plain form; its script only spares typing the code of an address.


def page(request: Request, query: InQuery, session: Session | None) -> bytes:
    language = page_language(request)
    said = words(language, _PACKAGE)
    values = {
        "role": session and render(role_name(session.role), language),
        "place": session and render(_place(session.grant.scope), language),
        "onward": session and start_page(session),
        "refused": query.refused,
        "next": own_path(query.next or ""),
        "plain": not is_secure(request) and not is_local_host(header(request, b"host")),
    }
    shown = Page(template="sign_in.html.j2", title=said["title"], values=values, script="sign_in.js", package=_PACKAGE)
    return render_page(request, shown, session)


def _place(scope: Scope) -> Phrase:
    match scope:
        case Everything():
            return Phrase("place.everything", {}, _PACKAGE)
        case OfTournament(tournament):
            return Phrase("place.tournament", {"tournament": tournament}, _PACKAGE)
        case OfTable(tournament=tournament, table=table, in_play=True):
            return Phrase("place.table_in_play", {"tournament": tournament, "table": table}, _PACKAGE)
        case OfTable(tournament=tournament, table=table, since=since):
            return Phrase("place.table", {"tournament": tournament, "table": table, "since": since}, _PACKAGE)
        case OfGame(game):
            return Phrase("place.game", {"game": str(game)}, _PACKAGE)
        case OfSeries(series):
            return Phrase("place.series", {"series": series}, _PACKAGE)


FORM = "application/x-www-form-urlencoded"
_FIELDS = {
    "type": "object",
    "properties": {
        "secret": {"type": "string", "maxLength": 200, "description": "a token, or a code"},
        "next": {"type": "string", "maxLength": 500, "description": "the page after signing in: a path of this service"},
    },
    "required": ["secret"],
    "additionalProperties": False,
}
_WHY: Mapping[type[Exception], str] = {AuthenticationError: "unknown", TooManyAttempts: "limited", Refused: "full"}
_ON = Content(
    "for a form: on to `next`, else to where the work of the session begins; back to `/in`, which says what was wrong",
    {},
    headers=("Location",),
)


@reads(
    "/in",
    "sign_in_page",
    "Show the page to sign in",
    tag=PAGES,
    description="The page reads the cookie only. A code in the fragment of the address is signed in at once.",
    query=InQuery,
    responses={200: Content("a page", {HTML: {"type": "string"}})},
    headers=("Accept-Language",),
    role="anybody",
)
async def sign_in_page(request: Request) -> Response:
    query, session = read_query(request, InQuery), await _session(request)
    headers = [
        *security(),
        ("cache-control", "no-store"),
        ("vary", "cookie, accept-language"),
        ("content-language", page_language(request)),
    ]
    return Response(page(request, query, session), media_type=f"{HTML}; charset=utf-8", headers=headers)


@writes(
    "/in",
    "sign_in",
    "Sign in with a token or a code",
    tag="Access",
    description=(
        "The answer sets the cookie. Only a page of this service may send this: `Sec-Fetch-Site: same-origin`, or an "
        "`Origin` that equals the `Host`. An earlier session of the browser ends."
    ),
    body={JSON: SignIn, FORM: _FIELDS},
    responses={200: Content("the new session", SignedIn, headers=("Set-Cookie",)), 303: _ON},
    refuses=(401, 403, 422, 429),
    keyed=False,
    role="anybody",
    admit=own_pages,
)
async def sign_in(request: Request) -> Response:
    if check_media_type(request, JSON, FORM) == JSON:
        entered = await _enter(request, (await read_body(request, SignIn)).secret)
        session = entered.session
        told = SignedIn(role=session.role, label=session.label, grant=grant_view(session.grant))
        return no_store_response(told, headers=[cookie(request, entered.secret)])
    given = await read_form(request)
    next = given.pop("next", "")
    try:
        entered = await _enter(request, convert_value(given, SignIn).secret)
    except (AuthenticationError, TooManyAttempts, Refused) as error:
        refused = _WHY[type(error)]
        return _on(f"/in?{urlencode({'refused': refused, **({'next': next} if own_path(next) else {})})}")
    return _on(own_path(next) or start_page(entered.session), cookie(request, entered.secret))


@writes(
    "/out",
    "sign_out",
    "Sign out: end the session of this browser",
    tag="Access",
    description="The session ends at once, on all servers. Only a page of this service may send this.",
    responses={200: Content("the session is over", SignedOut, headers=("Set-Cookie",)), 303: _ON},
    refuses=(403, 429),
    keyed=False,
    role="anybody",
    admit=own_pages,
)
async def sign_out(request: Request) -> Response:
    ended = await _end_sessions(request)
    if header(request, b"content-type").partition(";")[0].strip().lower() == FORM:
        return _on("/in", cookie(request, ""))
    return no_store_response(SignedOut(ended=ended), headers=[cookie(request, "")])


async def _enter(request: Request, secret: str) -> Entered:
    entered = await enter_by(request, secret, await _session(request))
    await _end_sessions(request, but=entered.session)
    return entered


async def _end_sessions(request: Request, but: Session | None = None) -> bool:
    """End every session of the browser except one; return whether there was one."""
    sessions = part_of(request.app, Sessions)
    shown = [one for one in await sessions.find_all(read_session_cookies(request)) if but is None or one.id != but.id]
    for session in shown:
        await sessions.end(session)
    return bool(shown)


def _on(where: str, *headers: tuple[str, str]) -> Response:
    return Response(b"", status=303, headers=[("location", where), ("cache-control", "no-store"), *headers])


async def _session(request: Request) -> Session | None:
    return await part_of(request.app, Sessions).find(read_session_cookies(request))
