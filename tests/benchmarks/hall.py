"""A hall of 500 phones that load the standings and their own page after a round, in processor time of the server, beside as many answers of
a constant of the same size; and a table that a phone holds already (304).
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from statistics import median

import httpx

from tests.benchmarks.measure import Figure, compared
from tests.benchmarks.moves.machine import OTHERS, cpu_of
from tests.benchmarks.moves.over_http import Ask
from tests.benchmarks.moves.places import Running, bare, kiebitz, recorder_of, sqlite_place
from tests.benchmarks.moves.sender import Load, Sent
from tests.benchmarks.moves.worker import worker
from tests.deploy.serving import client_of, done

PHONES = 500
LOADED, KNOWN = 12.0, 1.5
"""So many times the constant may a whole hall take, and a table that is known."""
_AT_ONCE = 20
_STANDINGS, _OWN = "/v1/tournaments/hall/standings", "/me"


def figures(quick: bool) -> Iterator[Figure]:
    phones, rounds = (20, 1) if quick else (PHONES, 3)
    with ExitStack() as stack:
        ask, place = stack.enter_context(worker("tests.benchmarks.moves.sender", OTHERS, Sent)), stack.enter_context(sqlite_place())
        director = recorder_of(place.settings, "director")
        server = stack.enter_context(kiebitz(place, director))
        constant = stack.enter_context(bare(director))
        with client_of(f"http://127.0.0.1:{server.port}", director) as client:
            heads, table = _fill(client, phones)
            sizes = {path: int(client.get(path, headers=_parse_head(heads[0])).headers["content-length"]) for path in (_STANDINGS, _OWN)}
            enter(client, "hall", 2, "1", 7)  # so that no answer is ready
        taken = {path: _times(ask, server, [path], heads, 1) for path in sizes}
        beside = {path: _times(ask, constant, [f"/c?{size}"], heads, rounds) for path, size in sizes.items()}
        told = f"{sizes[_STANDINGS] / 1e3:.0f} and {sizes[_OWN] / 1e3:.0f} kB"
        what = f"{phones} phones load standings and /me after a result"
        yield compared(what, sum(taken.values()), f"a constant of {told}", sum(beside.values()), LOADED, 1e3, "ms")
        for path in sizes:
            yield compared(f"of these, {path}", taken[path], "the constant", beside[path], None, 1e3, "ms")
        yield from _known(ask, server, constant, table, phones, rounds)


def _known(ask: Ask, server: Running, constant: Running, table: str, phones: int, rounds: int) -> Iterator[Figure]:
    with client_of(f"http://127.0.0.1:{server.port}", server.token) as client:
        tag = client.get(table).headers["etag"]
    head = [f"Authorization: Bearer {server.token}\r\nIf-None-Match: {tag}\r\n"] * _AT_ONCE
    seconds = [_times(ask, one, [path] * (phones // _AT_ONCE), head, rounds) for one, path in ((server, table), (constant, "/c"))]
    yield compared("a table that the phone holds, 304", seconds[0] / phones, "a constant", seconds[1] / phones, KNOWN)


def _times(ask: Ask, server: Running, paths: Sequence[str], heads: Sequence[str], rounds: int) -> float:
    """Processor time of the server until every phone has its answers, so many at a time."""
    taken = []
    for _ in range(rounds):
        before = cpu_of(server.process)
        for first in range(0, len(heads), _AT_ONCE):
            some = [*heads[first : first + _AT_ONCE]]
            ask(Load(server.ports, "", [[(path, "") for path in paths] for _ in some], heads=some))
        taken.append(cpu_of(server.process) - before)
    return median(taken)


def _fill(client: httpx.Client, phones: int) -> tuple[list[str], str]:
    """A tournament in its second round. Returns the heads of the phones' requests, and where a table is read."""
    players = [f"phone{number}" for number in range(phones)]
    announce(client, "hall", players)
    play_round(client, "hall", 1)
    draw(client, "hall")
    game = done(client.post("/v1/games", json={"ruleset": "casino", "seats": 2}))["game"]
    wanted = {"role": "player", "scope": {"tournament": "hall"}}
    secrets = [done(client.post("/v1/tokens", json={**wanted, "player": player}))["secret"] for player in players]
    heads = [f"Authorization: Bearer {secret}\r\nAccept-Language: de\r\nAccept-Encoding: gzip\r\n" for secret in secrets]
    return heads, f"/v1/games/{game}/table"


def announce(client: httpx.Client, id: str, players: Sequence[str]) -> None:
    done(client.post("/v1/tournaments", json={"id": id, "ruleset": "canasta", "seats": 4, "format": "swiss", "entrants": "players"}))
    done(client.post(f"/v1/tournaments/{id}/entries", json={"entries": [{"players": [player]} for player in players]}))


def draw(client: httpx.Client, id: str) -> None:
    done(client.post(f"/v1/tournaments/{id}/rounds", json={}, timeout=60))


def play_round(client: httpx.Client, id: str, round: int) -> None:
    """Drawn, played on paper and closed."""
    draw(client, id)
    for number, table in enumerate(done(client.get(f"/v1/tournaments/{id}/rounds/{round}"))["tables"]):
        enter(client, id, round, table["table"], number)
    done(client.post(f"/v1/tournaments/{id}/rounds/{round}/closing", json={}))


def enter(client: httpx.Client, id: str, round: int, table: str, number: int) -> None:
    done(client.put(f"/v1/tournaments/{id}/rounds/{round}/tables/{table}/result", json={"points": [500 + number, 300]}))


def _parse_head(head: str) -> dict[str, str]:
    return dict(re.findall(r"(\S+): (.+)\r\n", head))
