"""Rulebooks of the editions under which one game was played. Each is bound once; any error of it becomes a finding."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import TypeAlias

import msgspec

from domain.errors import InvalidFormatError, Refused, Unknown
from domain.rules import Rulebook, Ruleset
from domain.setup import Setup
from domain.table import Table
from replay.audit_result import AuditCollector
from replay.content import as_stored, shorten

Editions: TypeAlias = Mapping[tuple[str, int], Ruleset]
"""Rulesets by key and edition, older editions among them."""


class Rules:
    """The rulebooks of one game. Positions that they cannot judge are left out, and their objections are recorded as findings."""

    def __init__(self, editions: Editions, findings: AuditCollector) -> None:
        self._editions = editions
        self._findings = findings
        self._bound: dict[int, Rulebook | None] = {}

    def ruleset(self, position: int, setup: Setup, edition: int) -> Ruleset | None:
        """Return the ruleset; ``None``, with the position left unjudged, if the edition is not kept any more."""
        found = self._editions.get((setup.ruleset, edition))
        if found is None:
            self._findings.leaves(position, f"edition {edition} of {setup.ruleset} is not kept here")
        return found

    def rulebook(self, position: int, setup: Setup, edition: int) -> Rulebook | None:
        """Return the rulebook, bound to options and seats; ``None`` as for ``ruleset``."""
        ruleset = self.ruleset(position, setup, edition)
        if ruleset is None:
            return None
        if edition not in self._bound:
            self._bound[edition] = _bound(ruleset, setup)
        if self._bound[edition] is None:
            self._findings.leaves(position, "the rules know no game set up like this")
        return self._bound[edition]

    @contextmanager
    def judging(self, position: int, about: object) -> Iterator[None]:
        with judging(self._findings, position, about):
            yield


@contextmanager
def judging(findings: AuditCollector, position: int, about: object) -> Iterator[None]:
    """Record as findings what the rules refuse, and any error on damaged history, for which no rules are written."""
    findings.judged += 1
    try:
        yield
    except (Refused, InvalidFormatError, Unknown) as refused:
        rules = f" ({', '.join(refused.rules)})" if isinstance(refused, Refused) and refused.rules else ""
        findings.add_mismatch(position, "refused", as_stored(about), f"{refused.code}{rules}")
    except Exception as error:
        findings.add_mismatch(position, "failed", as_stored(about), shorten(f"{type(error).__name__}: {error}"))


def _bound(ruleset: Ruleset, setup: Setup) -> Rulebook | None:
    with suppress(Exception):  # options that cannot be bound were found where the game was opened
        return ruleset.bind(to_client_options(setup.options), setup.seats)
    return None


def to_client_options(options: object) -> object:
    """Return options as a client sends them: lists, where the stored ones hold tuples."""
    return msgspec.json.decode(msgspec.json.encode(options))


def refusal(rulebook: Rulebook, table: Table, seat: object, move: object) -> tuple[str, tuple[str, ...]]:
    """Return the refusal of a move, code and rules. In place of the code a sentence if it is legal, or the error of a failed rulebook."""
    try:
        rulebook.resolve(table, seat, move)
    except Refused as refused:
        return refused.code, refused.rules
    except Exception as error:
        return type(error).__name__, ()
    return "the move is legal", ()
