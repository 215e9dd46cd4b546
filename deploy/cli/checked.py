"""What `kiebitz check` finds out about one record, and how it says so."""

from typing import Any, TypeGuard

import msgspec
from msgspec import Struct

from deploy.cli.files import Found
from deploy.cli.refusals import refusal_in_words
from deploy.language import said
from deploy.results import won_by
from domain.errors import Malformed
from domain.games import RULESETS
from replay.cases import Failure, Outcome, differences, play

_MOST = 5


class Checked(Struct, frozen=True):
    """``amiss``: each place where a case ended otherwise than expected; ``None`` where the file expects nothing."""

    place: str
    file: str
    outcome: Outcome
    language: str
    amiss: tuple[str, ...] | None = None

    @property
    def exit_code(self) -> int:
        error = self.outcome.error
        if error is not None and error.code == "malformed_record":
            return 2
        return int(bool(error if self.amiss is None else self.amiss))

    @property
    def colour(self) -> str | None:
        return "red" if self.exit_code else None

    def as_json(self) -> dict[str, Any]:
        outcome = msgspec.to_builtins(self.outcome)
        found = {"name": outcome.pop("name"), "file": self.file, **outcome}
        return found if self.amiss is None else {**found, "expected": not self.amiss}

    def in_words(self) -> str:
        sign = "✗" if self.exit_code else "✓"
        foreseen = f"{said('as_expected', self.language)}, " if self.amiss == () else ""
        lines = [f"{sign} {self.outcome.name or self.place}: {foreseen}{_in_words(self.outcome, self.language)}"]
        lines += [f"    {difference}" for difference in (self.amiss or ())[:_MOST]]
        return "\n".join(lines)


def check(found: Found, language: str = "en") -> Checked:
    """Raises nothing: what is no record is an outcome, too."""
    try:
        if found.problem:
            raise found.problem
        outcome = play(found.record, RULESETS, language)
        amiss = differences(found.record["expect"], outcome) if _is_case(found.record) else None
    except Malformed as malformed:
        outcome, amiss = Outcome(None, Failure(-1, -1, malformed.code, ("COM-65",), malformed.message)), None
    return Checked(found.place, str(found.file), outcome, language, amiss)


def _is_case(record: object) -> TypeGuard[dict[str, Any]]:
    return isinstance(record, dict) and "expect" in record


def _in_words(outcome: Outcome, language: str) -> str:
    error = outcome.error
    if error is None:
        return said("accepted", language) + _result(outcome, language)
    if error.code == "malformed_record":
        return refusal_in_words(None, None, error.code, (), error.message, language)
    return refusal_in_words(error.hand, error.index, error.code, error.rules, error.message, language)


def _result(outcome: Outcome, language: str) -> str:
    sheet = outcome.score_sheet or {}
    totals = ":".join(str(total) for total in sheet.get("totals", ()))
    return f", {totals}" + (f", {won_by(outcome.winners, sheet['parties'], language)}" if outcome.winners is not None else "")
