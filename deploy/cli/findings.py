"""What `kiebitz doctor` looks at, in which order. It answers on a broken house, too."""

from collections.abc import Callable, Iterator
from typing import TypeAlias

from deploy.cli import checkups
from deploy.cli.checkups import Finding
from deploy.failures import explained
from deploy.settings import Settings

Check: TypeAlias = Callable[[Settings], Finding]


def findings(settings: Settings) -> Iterator[Finding]:
    """One for each check, in order; none for what cannot be looked at because something else is wrong."""
    wrong: set[str] = set()
    for what, check in CHECKS.items():
        if _NEEDS.get(what) in wrong:
            wrong.add(what)
            continue
        finding = _looked(what, check, settings)
        if finding.state == "wrong":
            wrong.add(what)
        yield finding


def _looked(what: str, check: Check, settings: Settings) -> Finding:
    try:
        return check(settings)
    except Exception as error:
        failure = explained(error)
        if failure is None:
            raise
        return Finding(what, "wrong", failure.problem, " ".join(failure.advice))


CHECKS: dict[str, Check] = {
    "Python": checkups.python,
    "Data folder": checkups.folder,
    "Disk": checkups.room,
    "Database": checkups.database,
    "Tokens": checkups.tokens,
    "Projections": checkups.projections,
    "Port": checkups.port,
    "Clock": checkups.clock,
}

_NEEDS = {"Disk": "Data folder", "Database": "Data folder", "Tokens": "Database", "Projections": "Database", "Clock": "Database"}
