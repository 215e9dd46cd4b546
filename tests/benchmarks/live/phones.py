"""How soon twenty phones show the next table after a draw: each follows the tournament, and reads its page again as ``me.js`` does.

Browsers wait at random within ``SPREAD`` so that not all ask at once; here the phones are spread evenly over it, and the last one waits the
whole of it. The time is from the answer to the draw until the page with the next table is there.
"""

import re
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event
from time import perf_counter, sleep

import httpx

from tests.benchmarks.measure import Figure
from tests.deploy.serving import Served, done, served

PHONES, LIMIT = 20, 2.0  # seconds
_SCRIPT = Path("api/assets/me.js")
_PATH = "/v1/tournaments/phones"


def figures(quick: bool) -> Iterator[Figure]:
    with TemporaryDirectory() as folder, served("--data", folder) as house, house.client() as client:
        players = _announce(client)
        tokens = [_token_of(client, player) for player in players]
        shown = [one for round in range(1, 2 if quick else 6) for one in _draw(house, client, tokens, round)]
    soon = sum(one <= LIMIT for one in shown)
    yield Figure(f"{PHONES} phones after a draw: the last shows the next table", max(shown) * 1e3, "ms", "the goal", LIMIT * 1e3,
                 max(shown) / LIMIT, 1.0)  # fmt: skip
    yield Figure("phones that show it within two seconds, of all", soon, "", "all", len(shown), len(shown) / max(soon, 1), 1.0)


def _announce(client: httpx.Client) -> list[str]:
    players = [f"phone{number}" for number in range(PHONES)]
    done(client.post("/v1/tournaments", json={"id": "phones", "ruleset": "canasta", "seats": 4, "format": "swiss", "entrants": "players"}))
    done(client.post(f"{_PATH}/entries", json={"entries": [{"players": [player]} for player in players]}))
    return players


def _token_of(client: httpx.Client, player: str) -> str:
    wanted = {"role": "player", "scope": {"tournament": "phones"}, "player": player}
    return str(done(client.post("/v1/tokens", json=wanted))["secret"])


def _draw(house: Served, client: httpx.Client, tokens: Sequence[str], round: int) -> list[float]:
    """Draw the round while all follow, and play it on paper. Returns the seconds until each phone showed its table."""
    listening = [Event() for _ in tokens]
    soon, spread = read_delays()
    with ThreadPoolExecutor(len(tokens)) as threads:
        waits = [soon + spread * place / (len(tokens) - 1) for place in range(len(tokens))]
        shown = [threads.submit(_follow, house, *one, round) for one in zip(tokens, waits, listening, strict=True)]
        for one in listening:
            one.wait()
        done(client.post(f"{_PATH}/rounds", json={}))
        drawn = perf_counter()
        seconds = [one.result() - drawn for one in shown]
    for table in done(client.get(f"{_PATH}/rounds/{round}"))["tables"]:
        done(client.put(f"{_PATH}/rounds/{round}/tables/{table['table']}/result", json={"points": [500 * round, 300]}))
    done(client.post(f"{_PATH}/rounds/{round}/closing", json={}))
    return seconds


def read_delays() -> tuple[float, float]:
    """Return the seconds that the script of the page waits after a draw at least, and within which it spreads the phones."""
    found = re.search(r"SOON = (\d+), SPREAD = (\d+)", _SCRIPT.read_text(encoding="utf-8"))
    assert found is not None
    return int(found[1]) / 1000, int(found[2]) / 1000


def _follow(house: Served, token: str, wait: float, listening: Event, round: int) -> float:
    """Follow the tournament as a phone, and return the moment at which the page shows the table of this round."""
    with house.client(token) as phone, phone.stream("GET", f"{_PATH}/stream", timeout=None) as stream:
        for line in stream.iter_lines():
            if line == "event: begin":
                listening.set()
            if '"round.paired/1"' in line:
                break
        sleep(wait)
        page = phone.get("/me", headers={"Accept-Language": "en"}).text
        assert re.search(rf'data-told="Table \d+, seat \w+ · Round {round}"', page), page
        return perf_counter()
