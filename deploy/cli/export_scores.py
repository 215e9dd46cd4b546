"""`kiebitz export scores`."""

import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, get_args

import click

from api.scores.formats import FormatName
from deploy.cli.client import Remote
from deploy.cli.console import progress
from deploy.cli.files import written
from deploy.cli.options import SERVER, STORE, setting_options, settings_of
from deploy.cli.scores import Wanted, exported
from deploy.settings import Settings

FORMATS: tuple[FormatName, ...] = get_args(FormatName)


def _moment(text: str) -> datetime:
    """A day, or a moment of RFC 3339; without an offset it is UTC."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise click.BadParameter(f"{text!r} is no moment; write 2026-11-21 or 2026-11-21T19:00:00+01:00") from None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


_NUMBER = click.IntRange(min=0)


@click.command("scores")
@click.option("--tournament", metavar="ID", help="Of this tournament.")
@click.option("--ruleset", metavar="KEY", help="Of this ruleset.")
@click.option("--player", metavar="ID", help="What counts for this player.")
@click.option("--club", metavar="ID", help="Of the members of this club.")
@click.option("--from", "opened_from", type=_moment, metavar="MOMENT", help="Of games opened at this moment or later.")
@click.option("--to", "opened_before", type=_moment, metavar="MOMENT", help="Of games opened before this moment.")
@click.option("--changed-since", type=_NUMBER, metavar="SEQUENCE", help="What has changed after this sequence, withdrawn lines too.")
@click.option("--as-of", type=_NUMBER, metavar="SEQUENCE", help="As it was at this sequence.")
@click.option("--names", is_flag=True, help="With the names of players in a column more.")
@click.option("--format", "form", type=click.Choice(FORMATS), help="Default: what the name of the file ends with; csv without a file.")
@click.option(
    "--out", "--output", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", help="Write to this file, when all is there."
)
@setting_options(*STORE, *SERVER)
def scores_command(form: FormatName | None, out: Path | None, names: bool, as_of: int | None, **given: Any) -> None:
    """Write the lines of all score sheets as one long table: a line for each game, hand, party, player and row.

    What the columns mean stands in docs/score-histories.md. The next export with --changed-since and the sequence that this one
    tells holds what has changed since.

    \b
    Examples:
      kiebitz export scores --tournament spring-26 --out scores.xlsx
      kiebitz export scores --player GER-1017 --from 2026-01-01 > scores.csv
    """
    flags = {name: given.pop(name) for name in (*STORE, *SERVER)}
    form = form or _by_name(out)
    if out is None and form in ("xlsx", "parquet") and sys.stdout.isatty():
        raise click.UsageError(f"A terminal cannot show {form}; name a file with --out.")
    with written(out) as write:
        as_of = _written(settings_of(flags), Wanted(form, as_of, names, **given), write)
    click.echo(f"Score lines as of sequence {as_of} exported{f' to {out}' if out else ''}.", err=True)


def _by_name(out: Path | None) -> FormatName:
    suffix = out.suffix.removeprefix(".").lower() if out else "csv"
    for form in FORMATS:
        if form == suffix:
            return form
    raise click.UsageError(f"The name {out} does not tell the form; say --format {', '.join(FORMATS[:-1])} or {FORMATS[-1]}.")


def _written(settings: Settings, wanted: Wanted, write: Callable[[bytes], object]) -> int:
    """Answers as of which sequence."""
    if settings.url:
        with Remote(settings.url, settings.token) as remote, remote.scores(wanted.query()) as (as_of, pieces), progress("Exporting", None):
            _all(pieces, write)
            return as_of
    with exported(settings, wanted) as (as_of, pieces):
        _all(pieces, write)
        return as_of


def _all(pieces: Iterator[bytes], write: Callable[[bytes], object]) -> None:
    for piece in pieces:
        write(piece)
