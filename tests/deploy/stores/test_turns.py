"""Turns of processes in a stream on PostgreSQL: in order, and released when their holder is gone."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, closing
from uuid import uuid4

import psycopg
import pytest

from deploy.stores.postgres.connections import Connection
from deploy.stores.postgres.leases import StreamLeases
from tests.postgres import free_port

A, B = uuid4(), uuid4()
WAITING = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
LONG, SHORT = 60.0, 0.05

Three = tuple[StreamLeases, StreamLeases, StreamLeases]


@pytest.fixture
def three(postgres_url: str) -> Iterator[Three]:
    with ExitStack() as stack:
        one, two, three = (
            stack.enter_context(closing(StreamLeases(lambda: Connection.connect(postgres_url, autocommit=True)))) for _ in range(3)
        )
        yield one, two, three


async def until_they_wait(url: str, number: int) -> None:
    with psycopg.connect(url, autocommit=True) as looking:
        while looking.execute(WAITING).fetchone() != (number,):
            await asyncio.sleep(0)


def run(story: Callable[[], Awaitable[None]]) -> None:
    async def told() -> None:
        await story()

    asyncio.run(told())


def test_they_come_in_the_order_in_which_they_were_asked_for(three: Three, postgres_url: str):
    one, two, last = three

    async def story() -> None:
        assert await one.take(A, LONG)
        second = asyncio.create_task(two.take(A, LONG))
        await until_they_wait(postgres_url, 1)
        third = asyncio.create_task(last.take(A, LONG))
        await until_they_wait(postgres_url, 2)
        one.release()
        assert await second
        assert not third.done()
        two.release()
        assert await third

    run(story)


def test_those_of_different_streams_are_not_in_each_others_way(three: Three):
    async def story() -> None:
        assert await three[0].take(A, LONG)
        assert await three[1].take(B, LONG)

    run(story)


def test_who_stands_still_with_it_is_not_waited_for_any_longer_than_is_said(three: Three):
    async def story() -> None:
        assert await three[0].take(A, LONG)
        assert await three[1].take(A, SHORT) is False
        three[0].release()
        assert await three[1].take(A, LONG)

    run(story)


def test_who_ends_gives_it_back(three: Three):
    async def story() -> None:
        assert await three[0].take(A, LONG)
        three[0].close()
        assert await three[1].take(A, LONG)

    run(story)


def test_a_turn_that_nobody_waits_for_any_more_is_handed_on(three: Three, postgres_url: str):
    one, two, last = three

    async def story() -> None:
        assert await one.take(A, LONG)
        gone = asyncio.create_task(two.take(A, LONG))
        await until_they_wait(postgres_url, 1)
        gone.cancel()
        with pytest.raises(asyncio.CancelledError):
            await gone
        one.release()
        assert await last.take(A, LONG)

    run(story)


def test_where_the_server_is_away_there_are_none(three: Three):
    async def story() -> None:
        with closing(StreamLeases(lambda: Connection.connect(f"postgresql://127.0.0.1:{free_port()}/none"))) as away:
            assert await away.take(A, SHORT) is False
            away.release()

    run(story)
