"""What all fault tests share: servers of their own, callers that do not give up, and what was found as lines of a report."""

import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

import httpx

from tests.deploy.serving import Served, served


class Finding(NamedTuple):
    """One line of the report. ``held`` is None for a figure that has no goal."""

    what: str
    seen: str
    held: bool | None = None


def counted(what: str, number: int, of: int) -> Finding:
    """Of so many, this many went wrong; none may."""
    return Finding(what, f"{number} of {of:,}", number == 0 and of > 0)


def traced(traces: Sequence[str], where: str = "") -> Iterator[Finding]:
    """What the log has stack traces of. A database that is away has one for each kind of error."""
    kinds = Counter(trace.partition(":")[0] for trace in traces)
    yield Finding(f"{where}stack traces in the log", ", ".join(f"{number} × {kind}" for kind, number in kinds.items()) or "none")


class Watched(NamedTuple):
    """A server, and all that it has said since its greeting: an unread pipe would stop it one day."""

    server: Served
    said: list[str]

    def traces(self) -> list[str]:
        """The error at the end of each stack trace."""
        found = [number for number, line in enumerate(self.said) if line.startswith("Traceback")]
        return [next((line.strip() for line in self.said[start + 1 :] if not line[0].isspace()), "") for start in found]


@contextmanager
def watched(*arguments: object, **more: str) -> Iterator[Watched]:
    with served(*arguments, **more) as server:
        said: list[str] = []
        threading.Thread(target=_drain, args=(server, said), daemon=True).start()
        yield Watched(server, said)


def _drain(server: Served, said: list[str]) -> None:
    assert server.process.stdout
    try:
        said.extend(server.process.stdout)
    except ValueError:
        return  # closed: the server has ended


def caller(url: str, token: str, timeout: float = 30) -> httpx.Client:
    limits = httpx.Limits(max_connections=200, max_keepalive_connections=200)
    return httpx.Client(base_url=url, headers={"Authorization": f"Bearer {token}"}, timeout=timeout, limits=limits)


def percentile(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * share))] if values else float("nan")
