"""How often somebody may be wrong when he signs in."""

import asyncio
import json
from collections.abc import Callable

import pytest
from httpx import ASGITransport, AsyncClient
from litestar import Litestar

from api.http.browsers.attempts import OF_ADDRESS, OF_ALL, LoginThrottle
from api.http.errors import TooManyAttempts
from api.http.paging import Counts
from api.http.request import part_of
from tests.api.conftest import BODY, Service, app_of
from tests.api.web import OURS, code

PHONES = 50


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def attempts(number: int, *, right: bool, clock: Clock, address: Callable[[int], str], code: bool = True, of: LoginThrottle) -> int:
    """How many of so many in a row are judged."""

    async def made() -> int:
        for done in range(number):
            try:
                async with of.check(address(done), code=code) as wrong:
                    if not right:
                        wrong()
            except TooManyAttempts:
                return done
        return number

    return asyncio.run(made())


def test_who_is_right_is_never_limited():
    clock = Clock()
    assert attempts(1000, right=True, clock=clock, address=lambda number: "a", of=LoginThrottle(clock)) == 1000


@pytest.mark.parametrize("code", [True, False])
def test_an_address_may_be_wrong_so_often_and_later_again(code: bool):
    clock = Clock()
    of = LoginThrottle(clock)
    assert attempts(1000, right=False, clock=clock, address=lambda number: "a", code=code, of=of) == OF_ADDRESS.burst
    assert attempts(1, right=False, clock=clock, address=lambda number: "b", code=code, of=of) == 1, "another address"
    clock.now += 12
    assert attempts(1000, right=False, clock=clock, address=lambda number: "a", code=code, of=of) == 2


def test_all_addresses_together_may_be_wrong_so_often_about_codes():
    clock = Clock()
    of = LoginThrottle(clock)
    assert attempts(20_000, right=False, clock=clock, address=str, of=of) == OF_ALL.burst
    assert attempts(10, right=False, clock=clock, address=str, code=False, of=of) == 10, "a token is not guessed"
    clock.now += 5
    assert attempts(1000, right=False, clock=clock, address=lambda number: f"later {number}", of=of) == 5


def test_it_is_told_when_another_try_is_worth_it():
    clock = Clock()
    of = LoginThrottle(clock)
    attempts(1000, right=False, clock=clock, address=lambda number: "a", of=of)

    async def refused() -> int:
        try:
            async with of.check("a", code=True):
                return 0
        except TooManyAttempts as error:
            return error.wait

    assert asyncio.run(refused()) == 6


def test_a_hall_of_phones_behind_one_address_signs_in_at_once_and_some_mistype(service: Service):
    """Each phone comes with a code of its own, every tenth mistypes it once before."""
    director = service.caller("director")
    codes = [code(director)["code"] for _ in range(PHONES)]

    async def hall(app: Litestar) -> list[int]:
        transport = ASGITransport(app, client=("192.0.2.1", 1))  # pyrefly: ignore[bad-argument-type]
        async with AsyncClient(transport=transport, base_url="http://testserver.local", headers=BODY | OURS) as client:

            async def phone(number: int) -> int:
                if number % 10 == 0:
                    await client.post("/in", content=json.dumps({"secret": "QQQQ7777"}))
                return (await client.post("/in", content=json.dumps({"secret": codes[number]}))).status_code

            return list(await asyncio.gather(*map(phone, range(PHONES))))

    with app_of(service.services) as app:
        assert asyncio.run(hall(app)) == [200] * PHONES


def test_who_tries_codes_is_told_to_wait_and_that_is_counted(service: Service):
    async def guessing(app: Litestar) -> tuple[list[int], str, str]:
        transport = ASGITransport(app, client=("192.0.2.1", 1))  # pyrefly: ignore[bad-argument-type]
        async with AsyncClient(transport=transport, base_url="http://testserver.local", headers=BODY | OURS) as client:
            asked = [await client.post("/in", content=json.dumps({"secret": "kb_nonsense"})) for _ in range(OF_ADDRESS.burst + 3)]
            by_form = {"Content-Type": "application/x-www-form-urlencoded"}
            formed = await client.post("/in", content="secret=kb_nonsense", headers=by_form)
        assert dict(part_of(app, Counts).sign_ins) == {"refused": OF_ADDRESS.burst, "limited": 4}
        return [one.status_code for one in asked], asked[-1].headers["retry-after"], formed.headers["location"]

    with app_of(service.services) as app:
        statuses, wait, location = asyncio.run(guessing(app))
    assert statuses == [401] * OF_ADDRESS.burst + [429] * 3
    assert (1 <= int(wait) <= 6, location) == (True, "/in?refused=limited")
