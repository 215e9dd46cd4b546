"""Entry point of the command line: the table of all commands, and error handling on a terminal."""

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any, NoReturn

import click

from deploy.config.failures import Failure, error_prefix, explain_error, language_of_call, say, sentence, usage_in_words
from domain.version import VERSION

COMMANDS = {
    "serve": ("serve", "Start the service."),
    "demo": ("sample_evening", "Record an evening with a table of every game, and serve it."),
    "check": ("check", "Play records or cases without a store."),
    "import": ("importing.command", "Record games from files."),
    "export": ("export", "Write games as records, or score lines, results and standings as tables."),
    "statistics": ("statistics", "Show wins by seat, hands, moves and partnerships of the finished games of a ruleset."),
    "replay": ("replay", "Tell a game move by move, or show the table at a position."),
    "audit": ("proofs.audit", "Judge every recorded event anew by the rules."),
    "verify": ("proofs.verify", "Hold proof files against the keys of a log, the rules and each other."),
    "log": ("proofs.log", "See how the log stands and by which keys, or begin another one."),
    "witness": ("proofs.witness", "Cosign the checkpoints of logs, and find out whether a log contradicts itself."),
    "simulate": ("record_generator", "Write random legal games as records."),
    "players": ("players", "Bring members into the directory."),
    "seasons": ("seasons", "Bring results and rankings of earlier years into ratings and series."),
    "tokens": ("tokens", "Issue, list and revoke access tokens."),
    "projections": ("projections", "See how far the projections are, check or rebuild them."),
    "backup": ("backup", "Copy the embedded database, also while a server writes to it."),
    "restore": ("backup", "Put a backup in the place of the embedded database."),
    "transfer": ("transfer", "Bring the whole store to another database, from SQLite to PostgreSQL or back."),
    "certificate": ("certificate", "Make a certificate for https in a hall without internet."),
    "migrate": ("migrate", "Bring the database to this version."),
    "doctor": ("diagnostics", "Find out what is wrong, and what to do."),
}

GONE = {"record": "record_on_the_page", "ha": "ha_gone", "monitor": "monitor_moved"}
"""Removed commands, and the key of the text that replaces each."""

HELP = """Kiebitz records card games move by move, replays and audits them, and exports score sheets.

\b
Examples:
  kiebitz serve                          the service on http://127.0.0.1:8000
  kiebitz demo                           what it looks like, without setting anything up
  kiebitz check hand.json                is this legal? no store needed
  kiebitz replay 5c0c8f1e-…              what happened, move by move
  kiebitz simulate casino --games 100    random legal games, to try things out
  kiebitz audit --all                    is what was recorded what the rules make of it?
  kiebitz verify mine.json --key VKEY    is it what the log signed? no store needed
  kiebitz tokens issue --role viewer --label "Board 3"
  kiebitz export --all --out games.ndjson
  kiebitz export scores --out scores.xlsx

Settings come from flags or from the environment: KIEBITZ_DATA, KIEBITZ_DATABASE_URL, KIEBITZ_HOST, KIEBITZ_PORT,
KIEBITZ_URL, KIEBITZ_TOKEN. `kiebitz COMMAND --help` tells what a command takes.
"""


class Commands(click.Group):
    """Group that imports a command when it is called, so that `check` need not wait for a web framework to load."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in GONE:
            raise Failure(say(GONE[cmd_name]), exit_code=2)
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"deploy.cli.{COMMANDS[cmd_name][0]}")
        return next(one for one in vars(module).values() if isinstance(one, click.Command) and one.name == cmd_name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])

    def main(self, args: Sequence[str] | None = None, **given: Any) -> NoReturn:  # pyrefly: ignore[bad-override]  # all that is given by name
        """Run the command line. Usage errors are reported in the language of the call, otherwise as in click."""
        called = list(sys.argv[1:] if args is None else args)
        language = language_of_call(called, os.environ)
        try:
            given |= {"standalone_mode": False, "obj": language}
            code = super().main(called, **given)
        except click.ClickException as error:
            click.echo(usage_in_words(error, language), err=True)
            sys.exit(error.exit_code)
        except click.Abort:
            click.echo(sentence("aborted", language), err=True)
            sys.exit(1)
        sys.exit(code if isinstance(code, int) else 0)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except (click.ClickException, click.exceptions.Exit, click.Abort, BrokenPipeError):
            raise  # click's own ways to end
        except Exception as error:
            if os.environ.get("KIEBITZ_DEBUG"):
                raise
            failure = explain_error(error) or _describe_unexpected(error)
        click.echo(f"{error_prefix(ctx.obj)}{failure.in_words(ctx.obj)}", err=True)
        raise click.exceptions.Exit(failure.exit_code)


def _describe_unexpected(error: Exception) -> Failure:
    return Failure(say("unexpected", kind=type(error).__name__, problem=error), say("unexpected_advice"))


@click.group(cls=Commands, help=HELP, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120})
@click.version_option(VERSION, prog_name="kiebitz", message="%(prog)s %(version)s")
def main() -> None:
    """Start the program; its help is ``HELP``."""
