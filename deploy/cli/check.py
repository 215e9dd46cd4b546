"""`kiebitz check`: records and cases played without a store."""

from pathlib import Path

import click
import msgspec

from deploy.cli.checked import check
from deploy.cli.console import line, progress
from deploy.cli.files import counted, total_size
from deploy.language import lang_option, said


@click.command("check")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE…")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line and record: error, state, score sheet, winners.")
@lang_option
def check_command(files: tuple[Path, ...], as_json: bool, language: str) -> None:
    """Play records or cases without a store: is every move legal, and if not, which rule says so?

    A FILE is one JSON record or NDJSON (a record on each line); - is standard input. A case file says what it expects.

    \b
    Exit code: 0 every record is accepted (a case: as expected), 1 not so, 2 a file or record cannot be read.
    \b
    Examples:
      kiebitz check hand.json
      kiebitz check --json games.ndjson > results.ndjson
    """
    worst, accepted, count = 0, 0, 0
    with progress("Checking", total_size(files), shown=total_size(files) > 100_000) as advance:
        for done, found in counted(files):
            checked = check(found, language)
            line(msgspec.json.encode(checked.as_json()).decode() if as_json else checked.in_words(), checked.colour)
            worst = max(worst, checked.exit_code)
            accepted += checked.exit_code == 0
            count += 1
            advance(done)
    if not as_json and count != 1:
        line(said("checked", language, accepted=accepted, count=count))
    raise click.exceptions.Exit(worst)
