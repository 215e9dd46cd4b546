"""Command `kiebitz tokens`: issues, lists, rotates and revokes access tokens.

The register of tokens is neither event nor projection, so it may be changed while a server runs.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any, Unpack

import click
from rich.box import SIMPLE
from rich.markup import escape
from rich.table import Table

from api.common.grant import CheckedGrant, GrantBody, ScopeBody, decide_grant_by
from api.http.request import ROLES, Principal, Role
from deploy.cli.console import STORE, print_line, setting_options, settings_of, show
from deploy.cli.exports.scores import parse_time
from deploy.compose import OpenMode, open_event_store, open_services, require_present
from deploy.config.failures import Failure, WrongCall, headings, lang_option, say, sentence
from deploy.config.settings import Settings
from deploy.config.tokens import issue, rotate
from deploy.system.clock import now
from domain.access import Everything, Grant, OfGame, OfSeries, OfTable, OfTournament
from domain.forms import form_of
from domain.journal.registers import Registers, stamp
from domain.name_validation import is_id

_MAY = {
    "director": "opens games, records moves, sees everything, and decides as an arbiter",
    "recorder": "opens games, records moves, raises disputes and sees everything",
    "arbiter": "sees everything, rules on disputes, rectifies, adjusts, suspends and annuls",
    "committee": "sees everything and decides on appeals",
    "viewer": "reads what the public may see",
    "player": "sees a game as his own seat does",
}


@click.group("tokens")
def tokens_command() -> None:
    """Issue, list, rotate and revoke access tokens.

    \b Examples:
      kiebitz tokens issue --role recorder --label "Table 1"
      kiebitz tokens issue --role recorder --tournament spring-open --table 3 --sees public --expires 2026-12-24
      kiebitz tokens list
      kiebitz tokens rotate 3f9a01c2 --grace 600
      kiebitz tokens revoke 3f9a01c2
    """


@tokens_command.command("issue")
@click.option(
    "--role",
    type=click.Choice(ROLES),
    required=True,
    help="; ".join(f"{role}: {_MAY[role]}" for role in ROLES) + ".",
)
@click.option("--label", default="", help="A label to distinguish it in the list.")
@click.option("--principal", metavar="ID", help="Another token for an existing principal, by its id in the events.")
@click.option("--tournament", metavar="ID", help="Only for this tournament; without this and --game, for everything.")
@click.option("--table", metavar="NAME", help="Only for this table of the tournament.")
@click.option(
    "--since", type=click.IntRange(min=1), metavar="ROUND", help="For the table's games from this round on; default: the current one."
)
@click.option("--game", type=click.UUID, metavar="ID", help="Only for this game.")
@click.option("--series", metavar="ID", help="Only for this series: a director of it alone, or a viewer.")
@click.option("--sees", type=click.Choice(["all", "public"]), default="all", help="Hidden cards: all that the role may see, or none.")
@click.option("--player", metavar="ID", help="A player's id in the tournament.")
@click.option("--seat", type=click.IntRange(min=0, max=63), metavar="SEAT", help="A player's seat in the game, from 0.")
@click.option(
    "--expires",
    type=parse_time,
    metavar="MOMENT",
    help="Expires on this day or at this time, by default of the house's zone.",
)
@lang_option
@setting_options(*STORE)
def issue_command(role: Role, label: str, principal: str | None, expires: datetime | None, language: str, **given: Any) -> None:
    """Issue a token. Its secret goes to standard output, alone, and is never shown again."""
    if principal is not None and not is_id(principal):
        raise WrongCall(form_of("form.id"))
    settings = settings_of({name: given.pop(name) for name in STORE})
    with _changing(settings) as registers:
        wanted = _decide_grant(settings, role, expires, given)
        token, secret = issue(registers, now, role, label, principal, grant=wanted.grant, expires_at=wanted.expires_at)
    click.echo(sentence("token_issued", language, id=token.id, role=role, principal=token.principal), err=True)
    click.echo(secret)


def _decide_grant(settings: Settings, role: Role, expires: datetime | None, given: dict[str, Any]) -> CheckedGrant:
    """Return the grant. An administrator at the machine may grant everything; the store is read only for facts about a
    tournament or game.
    """
    where = {name: given[name] for name in ("tournament", "table", "since", "game", "series")}
    bound = any(value is not None for value in where.values())
    body = GrantBody(
        role=role, scope=ScopeBody(**where) if bound else "everything", sees=given["sees"], player=given["player"], seat=given["seat"]
    )
    with open_services(settings, look=True) as services:
        return asyncio.run(decide_grant_by(Principal("", "director"), body, expires, services))


@contextmanager
def _changing(settings: Settings, **manner: Unpack[OpenMode]) -> Iterator[Registers]:
    """Open the register for changes. Raises ``Failure`` for a store that continues elsewhere."""
    with open_event_store(settings, **manner) as store:
        require_present(settings, store)
        yield store


@tokens_command.command("list")
@lang_option
@setting_options(*STORE)
def list_command(language: str, **flags: Any) -> None:
    """List every token ever issued, without its secret."""
    with open_event_store(settings_of(flags), create=False) as registers:
        tokens = registers.list_tokens()
    if not tokens:
        print_line(sentence("no_tokens", language))
        return
    table = Table(*headings(language, "id", "role", "label", "scope", "principal", "issued", "expires", "used", "revoked"), box=SIMPLE)
    for token in tokens:
        times = (token.issued_at, token.expires_at or "", token.used_at or "", token.revoked_at or "")
        table.add_row(token.id, token.role, escape(token.label), escape(_scope(token.grant, language)), token.principal, *times)
    show(table)


def _scope(grant: Grant, language: str) -> str:
    """Return the scope in a few words, with further restrictions."""
    match grant.scope:
        case Everything():
            place = sentence("scope.everything", language)
        case OfTournament(tournament):
            place = tournament
        case OfTable(tournament=tournament, table=table, since=since):
            place = sentence("scope.table", language, tournament=tournament, table=table, since=since)
        case OfGame(game):
            place = sentence("scope.game", language, game=str(game))
        case OfSeries(series):
            place = sentence("scope.series", language, series=series)
    seat = "" if grant.seat is None else sentence("scope.seat", language, seat=grant.seat)
    sees = "" if grant.sees == "all" else sentence("scope.public", language)
    return ", ".join(filter(None, [place, grant.player, seat, sees]))


@tokens_command.command("revoke")
@click.argument("id")
@lang_option
@setting_options(*STORE)
def revoke_command(id: str, language: str, **flags: Any) -> None:
    """Revoke the token with this id; a running server refuses it within a second."""
    with _changing(settings_of(flags), create=False) as registers:
        if not registers.revoke_token(id, stamp(now())):
            raise Failure(say("token_unknown", id=id), say("tokens_listed"))
    click.echo(sentence("token_revoked", language, id=id))


@tokens_command.command("rotate")
@click.argument("id")
@click.option(
    "--grace", type=click.IntRange(min=0, max=86_400), default=0, metavar="SECONDS", help="The old secret stays valid for this time."
)
@lang_option
@setting_options(*STORE)
def rotate_command(id: str, grace: int, language: str, **flags: Any) -> None:
    """Issue a new secret for the token with this id, with the same role, scope and end. It goes to standard output, alone."""
    with _changing(settings_of(flags), create=False) as registers:
        old = registers.token_of(id)
        if old is None:
            raise Failure(say("token_unknown", id=id), say("tokens_listed"))
        rotated = rotate(registers, now, old, timedelta(seconds=grace))
    if rotated is None:
        raise Failure(say("token_over", id=id), say("issue_another"))
    token, secret = rotated
    click.echo(sentence("token_issued", language, id=token.id, role=token.role, principal=token.principal), err=True)
    click.echo(secret)
