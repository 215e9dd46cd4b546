"""Score lines from a store of their own: what `kiebitz export scores` does without a server."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from msgspec import Struct

from api.common.names import names
from api.http.errors import NotInstalled
from api.scores.formats import (
    FileInfo,
    FormatName,
    maker,
    named_steps,
)
from api.services import Services
from deploy.cli.console import progress
from deploy.compose import open_services
from deploy.failures import Failure
from deploy.settings import Settings
from projections.score_lines import SCORE_LINES
from projections.score_list import Filters, Found, count, entries, latest

_LOOK = 0.5


class Wanted(Struct, frozen=True):
    """Which lines, as of which sequence (now, if none is named), and in which form."""

    form: FormatName
    as_of: int | None = None
    names: bool = False
    tournament: str | None = None
    ruleset: str | None = None
    player: str | None = None
    club: str | None = None
    opened_from: datetime | None = None
    opened_before: datetime | None = None
    changed_since: int | None = None

    def filters(self) -> Filters:
        return Filters(**{name: getattr(self, name) for name in Filters.__struct_fields__})

    def query(self) -> dict[str, Any]:
        """The same for a server."""
        times = {"from": self.opened_from, "to": self.opened_before}
        given = {name: getattr(self, name) for name in ("tournament", "ruleset", "player", "club", "changed_since", "as_of")}
        given |= {name: moment and moment.isoformat() for name, moment in times.items()}
        told = {name: value for name, value in given.items() if value is not None}
        return {**told, "format": self.form, "names": "true" if self.names else "false"}


@contextmanager
def exported(settings: Settings, wanted: Wanted) -> Iterator[tuple[int, Iterator[bytes]]]:
    """As of which sequence, and the pieces. Raises ``Failure``."""
    with open_services(settings, create=False) as services:
        head = services.journal.head()
        if wanted.as_of is not None and wanted.as_of > head:
            raise Failure(f"Nothing is recorded at sequence {wanted.as_of} yet; the newest is {head}.")
        _caught_up(services, head)
        as_of = latest(services.store) if wanted.as_of is None else wanted.as_of
        with progress("Exporting", count(services.store, wanted.filters(), as_of)) as advance:
            yield as_of, _pieces(services, wanted, as_of, advance)


def _pieces(services: Services, wanted: Wanted, as_of: int, advance: Callable[[int], None]) -> Iterator[bytes]:
    try:
        make = maker(wanted.form, FileInfo(as_of, services.clock(), wanted.names))
    except NotInstalled as missing:
        raise Failure(f"{missing}.") from missing
    look_up = (lambda players: names(services.registers, services.store, players, public=False)) if wanted.names else None
    return make(named_steps(_shown(entries(services.store, wanted.filters(), as_of), advance), look_up))


def _shown(steps: Iterable[list[Found]], advance: Callable[[int], None]) -> Iterator[list[Found]]:
    games = 0
    for step in steps:
        yield step
        games += len(step)
        advance(games)


def _caught_up(services: Services, head: int) -> None:
    """Projects what is not projected yet, or waits while a server does. Raises ``Failure``."""
    services.projector.start()
    try:
        with progress("Reading what was recorded", head) as advance:
            while not services.projector.wait_for(head, _LOOK, SCORE_LINES.name):
                status = next(one for one in services.projector.status() if one.name == SCORE_LINES.name)
                if status.error:
                    raise Failure(f"The score lines stopped at sequence {status.failed_at}: {status.error}", "See `kiebitz projections`.")
                advance(status.position)
    finally:
        services.projector.stop()
