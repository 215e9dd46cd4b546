"""What it costs to note a look: reading the table of a game that is played, beside the same table of one that is open to everybody."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import UUID

from api.app import create_app
from deploy.compose import open_services
from deploy.config.settings import Settings
from deploy.config.tokens import issue
from domain.journal.commits import Call
from domain.journal.registers import CardAccess
from tests.benchmarks.games import endless
from tests.benchmarks.measure import Figure, compared, each
from tests.evening.asgi import Driver

SHUT, OPEN = UUID(int=1, version=4), UUID(int=2, version=4)
_LENGTH = 150


class Reading:
    """The same table of both games, as the director sees it."""

    def __init__(self, driver: Driver, secret: str) -> None:
        self._driver = driver
        self._headers = [("authorization", f"Bearer {secret}"), ("content-type", "application/json")]

    def table(self, game: UUID) -> bytes:
        return self._ask("GET", f"/v1/games/{game}/table")

    def act(self, game: UUID, act: str, body: bytes) -> None:
        self._ask("POST", f"/v1/games/{game}/{act}", body)

    def _ask(self, method: str, target: str, body: bytes = b"") -> bytes:
        status, _, answer = self._driver.ask(method, target, self._headers, body)
        if status >= 400:
            raise RuntimeError(answer.decode())
        return answer


def figures(quick: bool) -> list[Figure]:
    with TemporaryDirectory() as folder, reading(Path(folder)) as read:
        works = [lambda game=game: read.table(game) for game in (SHUT, OPEN)]
        # The least of many turns: what is looked for is smaller than what the machine's other work does to a median.
        noted, bare = map(min, zip(*([each(work, 50, 1) for work in works] for _ in range(3 if quick else 101)), strict=True))
    return [compared("a table read that leaves a line in the register", noted, "one that leaves none", bare, 1.05)]


@contextmanager
def reading(folder: Path) -> Iterator[Reading]:
    with open_services(Settings(data=folder), alone=True) as services:
        for game in (SHUT, OPEN):
            services.journal.open_now(Call("bench"), game, tuple(islice(endless(1), _LENGTH)))
        _, secret = issue(services.registers, services.clock, "director", "bench")
        with Driver(create_app(services), lambda: asyncio.sleep(0)) as driver:
            read = Reading(driver, secret)
            read.act(OPEN, "abandonment", b'{"reason": "so that it is open"}')
            read.act(SHUT, "notes", b'{"text": "so that it is as long"}')
            yield read


def left(folder: Path) -> list[CardAccess]:
    """The lines of a folder that was read in."""
    with open_services(Settings(data=folder), alone=True) as services:
        return [look for game in (SHUT, OPEN) for look in services.registers.list_looks(game=game)]
