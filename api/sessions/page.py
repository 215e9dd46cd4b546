"""The page to sign in. It works as a plain form; its script only spares typing the code of an address."""

import re

from api.http.browsers.cookies import is_secure
from api.http.pages import rendered
from api.http.request import Request, header
from api.http.tokens import role_name
from api.sessions.assets import address_of
from api.sessions.requests import PATH, InQuery
from domain.access.scopes import Everything, OfGame, OfTable, OfTournament, Scope
from domain.journal.sessions import Session
from domain.texts import Phrase, catalogue, told, words_of

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none';"
    " require-trusted-types-for 'script'; trusted-types 'none'"
)
SECURITY = (
    ("content-security-policy", _POLICY),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-resource-policy", "same-origin"),
    ("cross-origin-opener-policy", "same-origin"),
)
_THIS_MACHINE = re.compile(r"(localhost|127\.[0-9.]+|\[::1\])(:[0-9]+)?")


def is_own_path(path: str) -> bool:
    return len(path) <= 500 and re.fullmatch(PATH, path) is not None


def page(request: Request, query: InQuery, session: Session | None, language: str) -> bytes:
    words = words_of(catalogue(__package__), language)
    values = {
        "language": language,
        "words": words,
        "session": session,
        "role": session and told(role_name(session.role), language),
        "place": session and told(_place(session.grant.scope), language),
        "refused": query.refused,
        "next": query.next if query.next is not None and is_own_path(query.next) else "",
        "plain": not is_secure(request) and not _THIS_MACHINE.fullmatch(header(request, b"host").lower()),
        "style": address_of("page.css"),
        "script": address_of("sign_in.js"),
    }
    return rendered("sign_in.html.j2", values)


def _place(scope: Scope) -> Phrase:
    match scope:
        case Everything():
            return Phrase("place.everything", {}, __package__)
        case OfTournament(tournament):
            return Phrase("place.tournament", {"tournament": tournament}, __package__)
        case OfTable(tournament, table, since):
            return Phrase("place.table", {"tournament": tournament, "table": table, "since": since}, __package__)
        case OfGame(game):
            return Phrase("place.game", {"game": str(game)}, __package__)
