"""Who shows no token: what is published, counted by his address, and for whoever stands between to keep for a second."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from api.http.errors import ConcurrencyLimitError, RateLimitedError
from api.http.limits import ConcurrencyLimiter, RateLimiter
from api.http.request import Principal, anonymous_from
from api.services import Bound, Limits, Rate, Services
from tests.api.conftest import Caller, Service, running, settings_of, without_limits
from tests.api.tournament import announced, entered, opened, paired

HALL, ELSEWHERE = anonymous_from("192.0.2.1"), anonymous_from("192.0.2.2")
RATES = ("ratelimit", "ratelimit-policy")


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture(scope="module")
def published(service: Service) -> dict[str, str]:
    """A tournament that everybody may read, and a game of it in progress."""
    director = service.caller("director")
    tournament = announced(director, format="manual", title="Spring Open")
    entered(director, tournament, 2)
    paired(director, tournament, [[1], [2]])
    game = opened(director, tournament)["1"]
    director.deal(game)
    assert director.post(f"/v1/games/{game}/disputes", {"position": 2, "seat": 0, "claim": "misdealt"}).status_code == 201
    assert director.post(f"{tournament}/publication", {"publication": "aliases"}).status_code == 201
    return {"tournament": tournament, "game": f"/v1/games/{game}"}


OF_A_TOURNAMENT = (
    *("", "/history", "/entries", "/rounds", "/rounds/1", "/rounds/1/seating", "/rounds/1/seating?format=html"),
    *(
        f"/standings{form}"
        for form in ("", "?explain=false", "?format=csv", "?format=html", "?format=ndjson", "?format=parquet", "?round=1")
    ),
    "/standings/diff?old=round:1",
)
OF_A_GAME = (
    *("", "/table", "/table?position=2", "/table?view=public", "/history", "/replay", "/disputes"),
    *("/score-sheet", "/score-sheet?format=csv", "/score-sheet?format=html"),
)


@pytest.mark.parametrize("path", [*(f"tournament{path}" for path in OF_A_TOURNAMENT), *(f"game{path}" for path in OF_A_GAME)])
def test_what_is_published_is_read_without_a_token_as_a_viewer_reads_it(service: Service, published: dict[str, str], path: str):
    address = published["game"] + path[4:] if path.startswith("game") else published["tournament"] + path[10:]
    nobody, viewer = service.caller(None).get(address), service.caller("viewer").get(address)
    assert viewer.status_code == 200
    assert (nobody.status_code, nobody.content) == (200, viewer.content)
    assert _headers(nobody) == _headers(viewer)


def _headers(answer: Any) -> dict[str, str]:
    """But for the rate, the id of the request, and by whom it may be kept."""
    left_out = (*RATES, "request-id", "cache-control", "vary")
    return {name: value for name, value in answer.headers.items() if name not in left_out}


def test_what_is_not_published_takes_a_token(service: Service, published: dict[str, str]):
    director, nobody = service.caller("director"), service.caller(None)
    closed = announced(director)
    alone = director.open()
    for address in (closed, f"{closed}/standings", f"/v1/games/{alone}", f"/v1/games/{alone}/table", f"{closed}-unknown", "/v1/players/p1"):
        answer = nobody.get(address)
        assert (answer.status_code, answer.json()["code"]) == (401, "unauthenticated"), address
    assert nobody.get(f"{published['tournament']}/notes").status_code == 401
    assert nobody.post(f"{published['game']}/hands", {"dealer": 0}).status_code == 401


def test_what_is_closed_again_takes_a_token_again(service: Service):
    director, nobody = service.caller("director"), service.caller(None)
    tournament = announced(director)
    answers = []
    for publication in ("names", "no"):
        assert director.post(f"{tournament}/publication", {"publication": publication}).status_code == 201
        answers.append(nobody.get(tournament).status_code)
    assert answers == [200, 401]


def test_only_answers_for_everybody_may_be_kept_by_whoever_stands_between(service: Service, published: dict[str, str]):
    path = f"{published['tournament']}/standings"
    nobody, viewer = service.caller(None), service.caller("viewer")
    first = nobody.get(path)
    assert first.headers["cache-control"] == "public, max-age=1"
    assert {"authorization", "cookie"} <= set(first.headers["vary"].split(", "))
    again = nobody.get(path, headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content, again.headers["cache-control"]) == (304, b"", "public, max-age=1")
    assert viewer.get(path).headers["cache-control"] == "no-cache"
    assert nobody.get(f"{published['tournament']}-unknown").headers["cache-control"] == "no-store"


# Limits


def test_the_phones_of_a_hall_share_one_limit_by_their_address():
    clock = Clock()
    buckets = RateLimiter(Limits(per_second=1.0, burst=5, by_address=Rate(2.0, 3)), clock)
    for _ in range(3):
        buckets.acquire(HALL)
    with pytest.raises(RateLimitedError) as refused:
        buckets.acquire(HALL)
    assert (refused.value.limit, refused.value.wait) == (3, 1)
    told = buckets.acquire(ELSEWHERE)
    assert told == ((b"ratelimit", b'"address";r=2'), (b"ratelimit-policy", b'"address";q=3'))
    clock.now += 0.5
    buckets.acquire(HALL)


def test_what_is_large_counts_as_several_requests():
    buckets = RateLimiter(Limits(by_address=Rate(2.0, 25)), Clock())
    for _ in range(2):
        buckets.acquire(HALL, 10)
    with pytest.raises(RateLimitedError) as refused:
        buckets.acquire(HALL, 10)
    assert refused.value.wait == 3
    assert buckets.acquire(HALL)[0] == (b"ratelimit", b'"address";r=4')


def test_of_places_those_without_a_token_take_half_at_most_and_no_more_than_one_of_an_address_may():
    places = ConcurrencyLimiter("streams", Bound(4, 1))
    third = anonymous_from("192.0.2.3")
    with places.acquire(HALL):
        with pytest.raises(ConcurrencyLimitError) as own, places.acquire(HALL):
            pass
        with places.acquire(ELSEWHERE.as_viewer()):
            with pytest.raises(ConcurrencyLimitError) as all_of_them, places.acquire(third):
                pass
            with places.acquire(Principal("p_1", "viewer")), places.acquire(Principal("p_2", "recorder")):
                pass
        with places.acquire(third):
            pass
    assert (own.value.code, all_of_them.value.code) == ("own_streams_busy", "streams_busy")


BURST = 90


def phones(services: Services) -> Services:
    """A small hall; and so slow to fill up that the speed of this machine does not matter."""
    return replace(without_limits(services), limits=replace(Limits(), by_address=Rate(1e-9, BURST), answer=600.0))


@pytest.fixture
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with running(settings_of(tmp_path_factory.mktemp("hall")), phones) as service:
        yield service


def test_the_phones_of_a_hall_load_the_standings_and_a_flood_is_stopped(hall: Service):
    director, nobody = hall.caller("director"), hall.caller(None)
    tournament = announced(director, format="manual")
    entered(director, tournament, 4)
    assert director.post(f"{tournament}/publication", {"publication": "aliases"}).status_code == 201

    def load(_: int) -> tuple[int, bytes]:
        answer = hall.client.get(f"{tournament}/standings")
        return answer.status_code, answer.content

    with ThreadPoolExecutor(20) as threads:
        assert set(threads.map(load, range(BURST // 2))) == {(200, nobody.get(f"{tournament}/standings").content)}
    refused = next(answer for answer in _flood(nobody) if answer.status_code != 401)
    assert (refused.status_code, refused.json()["code"]) == (429, "too_many_requests")
    assert int(refused.headers["retry-after"]) >= 1
    assert refused.headers["ratelimit-policy"] == f'"address";q={BURST}'
    assert [nobody.get(path).status_code for path in ("/docs", "/openapi.json", "/rules", "/health/live")] == [429, 429, 200, 200]
    assert hall.caller("viewer").get(f"{tournament}/standings").status_code == 200


def test_500_phones_of_one_hall_may_load_a_page_with_all_that_it_asks_for():
    assert Limits().by_address.burst >= 500 * 12


def _flood(nobody: Caller) -> Iterator[Any]:
    for _ in range(BURST):
        yield nobody.client.get("/v1/games")


def test_a_token_that_is_none_takes_from_the_limit_of_its_address(tmp_path: Path):
    def narrow(services: Services) -> Services:
        return replace(services, limits=replace(services.limits, by_address=Rate(1e-9, 5)))

    with running(settings_of(tmp_path), narrow) as service:
        wrong = replace(service.caller("viewer"), token="kb_wrong")
        assert [wrong.get("/v1/games").status_code for _ in range(6)] == [401] * 5 + [429]
        assert wrong.post("/v1/games", {}).json()["code"] == "too_many_requests"
        assert service.caller("recorder").get("/v1/games").status_code == 200
