"""Command `kiebitz check`: plays records and cases by the rules, without a store."""

from collections import Counter
from collections.abc import Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple, TypeGuard, cast

import click
import msgspec
from msgspec import Struct

from deploy.cli.bulk import Placed, batch_entries, in_order, jobs_for, jobs_option, place_entries
from deploy.cli.console import print_line, progress
from deploy.cli.files import FileEntry, total_size
from deploy.config.failures import describe_winners, lang_option, refusal_in_words, sentence
from deploy.system.clock import now
from domain.errors import InvalidFormatError
from domain.games import RULESETS
from replay.cases import FirstRefusal, PlayedRecord, differences, play_record
from replay.external_context import check_past

_MOST = 5
"""Maximum number of differences that are printed for a case."""


@click.command("check")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE…")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line and record: error, state, score sheet, winners.")
@click.option("--errors", "errors_only", is_flag=True, help="Print only failures, and the number of checked records.")
@jobs_option
@lang_option
def check_command(files: tuple[Path, ...], as_json: bool, errors_only: bool, jobs: int, language: str) -> None:
    """Play records or cases without a store: is every move legal, and if not, which rule says so?

    A FILE is one JSON record or NDJSON (a record on each line); - is standard input. A case file says what it expects.

    \b Exit code: 0 every record is accepted (a case: as expected), 1 not so, 2 a file or record cannot be read. \b Examples:
      kiebitz check hand.json
      kiebitz check --errors games.ndjson
      kiebitz check --json games.ndjson > results.ndjson
    """
    exit_codes: Counter[int] = Counter()
    work = partial(_check_batch, language, as_json=as_json, errors_only=errors_only)
    batches = batch_entries(place_entries(files))
    with progress(sentence("checking", language), total_size(files), shown=total_size(files) > 100_000) as advance:
        for checked in chain.from_iterable(in_order(work, work, batches, jobs_for(files, jobs))):
            if checked.said is not None:
                print_line(checked.said, "red" if checked.exit_code else None)
            exit_codes[checked.exit_code] += 1
            advance(checked.done)
    if errors_only or (not as_json and exit_codes.total() != 1):
        counted = sentence("checked", language, accepted=exit_codes[0], count=exit_codes.total())
        click.echo(counted, err=as_json)  # lines of JSON stay nothing but that
    raise click.exceptions.Exit(max(exit_codes, default=0))


class Checked(NamedTuple):
    """Text about a record, and the bytes of all files read by then."""

    done: int
    exit_code: int
    said: str | None


def _check_batch(language: str, batch: Sequence[Placed], *, as_json: bool, errors_only: bool) -> list[Checked]:
    checks = [(one.done, check_record(one.entry.decoded, language)) for one in batch]
    return [
        Checked(done, check.exit_code, check.render(language, as_json=as_json) if check.exit_code or not errors_only else None)
        for done, check in checks
    ]


class Check(Struct, frozen=True):
    """Result of checking a record.

    ``amiss``: each place where a case ended otherwise than expected; ``None`` if the file expects nothing.
    """

    entry: FileEntry
    outcome: PlayedRecord
    amiss: tuple[str, ...] | None = None

    @property
    def exit_code(self) -> int:
        error = self.outcome.error
        if error is not None and error.code == "malformed_record":
            return 2
        return int(bool(error if self.amiss is None else self.amiss))

    def render(self, language: str, *, as_json: bool) -> str:
        return msgspec.json.encode(self.as_json()).decode() if as_json else self.in_words(language)

    def as_json(self) -> dict[str, Any]:
        outcome = msgspec.to_builtins(self.outcome)
        # An unreadable record may still contain its name.
        name = outcome.pop("name") or self.entry.name
        fields = {"name": name, "file": str(self.entry.file), "line": self.entry.line, "ref": self.entry.ref, **outcome}
        return fields if self.amiss is None else {**fields, "expected": not self.amiss}

    def in_words(self, language: str) -> str:
        sign = "✗" if self.exit_code else "✓"
        foreseen = f"{sentence('as_expected', language)}, " if self.amiss == () else ""
        lines = [f"{sign} {self.entry.name or self.entry.place}: {foreseen}{_in_words(self.outcome, language)}"]
        lines += [f"    {difference}" for difference in (self.amiss or ())[:_MOST]]
        return "\n".join(lines)


def check_record(entry: FileEntry, language: str) -> Check:
    """Play the record and return the result. Raises nothing: an invalid record is a result, too."""
    try:
        if entry.problem:
            raise entry.problem
        outcome = play_record(entry.record, RULESETS, language)
        read = cast("dict[str, Any]", entry.record)
        check_past(read.get("played_at"), read["hands"], now())
        return Check(entry, outcome, differences(entry.record["expect"], outcome) if _is_case(entry.record) else None)
    except InvalidFormatError as malformed:
        return Check(entry, PlayedRecord(None, FirstRefusal(-1, -1, malformed.code, ("COM-65",), malformed.in_words(language))))


def _is_case(record: object) -> TypeGuard[dict[str, Any]]:
    return isinstance(record, dict) and "expect" in record


def _in_words(outcome: PlayedRecord, language: str) -> str:
    error = outcome.error
    if error is None:
        return sentence("accepted", language) + _result(outcome, language)
    if error.code == "malformed_record":
        return f"{error.code}: {error.message}"
    return refusal_in_words(error, error.message, language)


def _result(outcome: PlayedRecord, language: str) -> str:
    sheet = outcome.score_sheet or {}
    totals = ":".join(str(total) for total in sheet.get("totals", ()))
    return f", {totals}" + (f", {describe_winners(outcome.winners, sheet['parties'], language)}" if outcome.winners is not None else "")
