"""The page to sign in. It works as a plain form; its script only spares typing the code of an address."""

from api.common.pages.appearance import spoken_to
from api.common.pages.shell import Page, words, written
from api.http.addresses import is_loopback
from api.http.browsers.cookies import is_secure
from api.http.own_paths import own_path
from api.http.request import Request, header
from api.http.tokens import role_name
from api.sessions.landing import landing_page
from api.sessions.requests import InQuery
from domain.access.scopes import Everything, OfGame, OfTable, OfTournament, Scope
from domain.journal.sessions import Session
from domain.texts import Phrase, told


def page(request: Request, query: InQuery, session: Session | None) -> bytes:
    language = spoken_to(request)
    said = words(language, __package__)
    values = {
        "role": session and told(role_name(session.role), language),
        "place": session and told(_place(session.grant.scope), language),
        "onward": session and landing_page(session),
        "refused": query.refused,
        "next": own_path(query.next or ""),
        "plain": not is_secure(request) and not is_loopback(header(request, b"host")),
    }
    shown = Page(template="sign_in.html.j2", title=said["title"], values=values, script="sign_in.js", package=__package__)
    return written(request, shown, session)


def _place(scope: Scope) -> Phrase:
    match scope:
        case Everything():
            return Phrase("place.everything", {}, __package__)
        case OfTournament(tournament):
            return Phrase("place.tournament", {"tournament": tournament}, __package__)
        case OfTable(tournament=tournament, table=table, in_play=True):
            return Phrase("place.table_in_play", {"tournament": tournament, "table": table}, __package__)
        case OfTable(tournament=tournament, table=table, since=since):
            return Phrase("place.table", {"tournament": tournament, "table": table, "since": since}, __package__)
        case OfGame(game):
            return Phrase("place.game", {"game": str(game)}, __package__)
