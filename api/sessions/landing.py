"""The landing page after signing in: where the work of a session begins, if no other page was asked for."""

from urllib.parse import quote

from api.http.tokens import ROLES_FOR
from domain.access.scopes import OfGame, OfTable, OfTournament
from domain.journal.sessions import Session


def landing_page(session: Session) -> str:
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
