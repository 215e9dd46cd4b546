"""What `kiebitz check` finds out about one record, and how it says so."""

from typing import Any, TypeGuard

import msgspec
from msgspec import Struct

from deploy.files import Found
from deploy.refusals import refusal_in_words
from domain.errors import Malformed
from domain.games import RULESETS
from replay.cases import Failure, Outcome, differences, play

_MOST = 5


class Checked(Struct, frozen=True):
    """``amiss``: each place where a case ended otherwise than expected; ``None`` where the file expects nothing."""

    place: str
    file: str
    outcome: Outcome
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
        foreseen = "as expected, " if self.amiss == () else ""
        lines = [f"{sign} {self.outcome.name or self.place}: {foreseen}{_said(self.outcome)}"]
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
        return Checked(found.place, str(found.file), Outcome(None, Failure(-1, -1, malformed.code, ("COM-65",), malformed.message)))
    return Checked(found.place, str(found.file), outcome, amiss)


def _is_case(record: object) -> TypeGuard[dict[str, Any]]:
    return isinstance(record, dict) and "expect" in record


def _said(outcome: Outcome) -> str:
    error = outcome.error
    if error is None:
        return f"accepted{_result(outcome)}"
    if error.code == "malformed_record":
        return refusal_in_words(None, None, error.code, (), error.message)
    return refusal_in_words(error.hand, error.index, error.code, error.rules, error.message)


def _result(outcome: Outcome) -> str:
    sheet = outcome.score_sheet or {}
    totals = ":".join(str(total) for total in sheet.get("totals", ()))
    winners = ", ".join(str(party) for party in outcome.winners or ())
    return f", {totals}" + (f", won by party {winners}" if winners else "")
