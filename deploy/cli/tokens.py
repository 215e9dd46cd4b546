"""`kiebitz tokens`: the register of tokens is neither event nor projection, so it may be changed while a server runs."""

from typing import Any

import click
from rich.box import SIMPLE
from rich.markup import escape
from rich.table import Table

from api.http.tokens import ROLES
from deploy.cli.console import print_line, show
from deploy.cli.options import STORE, setting_options, settings_of
from deploy.compose import now, open_event_store
from deploy.failures import Failure
from deploy.language import headings, lang_option, say, sentence
from deploy.tokens import issue, stamp
from deploy.usage import WrongCall
from domain.forms import form_of
from domain.spelling import is_id

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
    """Issue, list and revoke access tokens.

    \b
    Examples:
      kiebitz tokens issue --role recorder --label "Table 1"
      kiebitz tokens list
      kiebitz tokens revoke 3f9a01c2
    """


@tokens_command.command("issue")
@click.option(
    "--role",
    type=click.Choice(ROLES),
    required=True,
    help="; ".join(f"{role}: {_MAY[role]}" for role in ROLES) + ".",
)
@click.option("--label", default="", help="For whom or what, to tell it from others in the list.")
@click.option("--principal", metavar="ID", help="Another token for somebody known: the id that stands in the events.")
@lang_option
@setting_options(*STORE)
def issue_command(role: str, label: str, principal: str | None, language: str, **flags: Any) -> None:
    """Issue a token. Its secret goes to standard output, alone, and is never shown again."""
    if principal is not None and not is_id(principal):
        raise WrongCall(form_of("form.id"))
    with open_event_store(settings_of(flags)) as registers:
        token, secret = issue(registers, now, role, label, principal)
    click.echo(sentence("token_issued", language, id=token.id, role=role, principal=token.principal), err=True)
    click.echo(secret)


@tokens_command.command("list")
@lang_option
@setting_options(*STORE)
def list_command(language: str, **flags: Any) -> None:
    """Every token ever issued, without its secret."""
    with open_event_store(settings_of(flags), create=False) as registers:
        tokens = registers.list_tokens()
    if not tokens:
        print_line(sentence("no_tokens", language))
        return
    table = Table(*headings(language, "id", "role", "label", "principal", "issued", "revoked"), box=SIMPLE)
    for token in tokens:
        table.add_row(token.id, token.role, escape(token.label), token.principal, token.issued_at, token.revoked_at or "")
    show(table)


@tokens_command.command("revoke")
@click.argument("id")
@lang_option
@setting_options(*STORE)
def revoke_command(id: str, language: str, **flags: Any) -> None:
    """Revoke the token with this id; a running server refuses it within a second."""
    with open_event_store(settings_of(flags), create=False) as registers:
        if not registers.revoke_token(id, stamp(now())):
            raise Failure(say("token_unknown", id=id), say("tokens_listed"))
    click.echo(sentence("token_revoked", language, id=id))
