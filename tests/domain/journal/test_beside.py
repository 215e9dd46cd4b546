"""A command of a tournament that records in games, too: in one commit, decided on all of them as they stand."""

import asyncio
from collections.abc import Callable, Sequence
from uuid import UUID

import pytest

from domain.errors import KeyConflictError, Refused
from domain.events import Event
from domain.events.game import GameAbandoned
from domain.events.tournament import RoundClosed
from domain.game import Game
from domain.journal.application import Journal
from domain.journal.commits import Call, LinkedStreams, Receipt
from domain.opening import opening
from domain.tournament.tournament import TOURNAMENT, Tournament, tournament_stream
from tests.databases import in_a_file
from tests.domain.journal.test_application import CASINO, opened, run
from tests.domain.tournament.recorded import entries, paired, plan

STREAM = tournament_stream("spring")
BY = Call("director")
GAMES = (UUID(int=7), UUID(int=8))


async def a_round(journal: Journal) -> None:
    await journal.begin(TOURNAMENT, BY, STREAM, [plan(), *entries(2), paired(1, (1, 2))])
    for game in GAMES:
        await journal.open_game(BY, game, [opening(CASINO, {}, 2)])


def unless_abandoned(_: Tournament, game: Game) -> Sequence[Event]:
    return () if game.docket.ended else (GameAbandoned(None),)


async def close(
    journal: Journal, call: Call = BY, decide: Callable[[Tournament, Game], Sequence[Event]] = unless_abandoned
) -> Receipt[Tournament]:
    return await journal.commit_to(TOURNAMENT, call, STREAM, lambda _: (RoundClosed(1),), beside=LinkedStreams(GAMES, decide))


def names(journal: Journal, stream: UUID) -> list[str]:
    return [one.name for one in journal.history(stream)]


def test_all_is_recorded_in_one_commit_and_the_receipt_is_of_the_tournament(journal_url: str):
    async def story(journal: Journal) -> None:
        await a_round(journal)
        receipt = await close(journal)
        assert [one.event for one in receipt.events] == [RoundClosed(1)]
        assert (receipt.after.rounds[0].closed, receipt.sequence) == (True, journal.head())
        assert [names(journal, game) for game in GAMES] == [["game.opened/1", "game.abandoned/1"]] * 2
        assert [(await journal.current(game)).docket.ended for game in GAMES] == ["abandoned"] * 2

    run(journal_url, story)


@in_a_file
def test_a_game_in_which_nothing_is_to_be_recorded_stays_as_it_is(journal_url: str):
    async def story(journal: Journal) -> None:
        await a_round(journal)
        await journal.commit(BY, GAMES[0], lambda _: (GameAbandoned(None),))
        before = await journal.current(GAMES[0])
        await close(journal)
        assert (await journal.current(GAMES[0])).position == before.position
        assert names(journal, GAMES[1]) == ["game.opened/1", "game.abandoned/1"]

    run(journal_url, story)


@in_a_file
def test_what_is_refused_of_one_is_recorded_in_none(journal_url: str):
    def refuse(_: Tournament, game: Game) -> Sequence[Event]:
        if game.id == GAMES[1]:
            raise Refused("nothing_to_be_done")
        return (GameAbandoned(None),)

    async def story(journal: Journal) -> None:
        await a_round(journal)
        head = journal.head()
        with pytest.raises(Refused, match="nothing_to_be_done"):
            await close(journal, decide=refuse)
        assert journal.head() == head

    run(journal_url, story)


def test_a_repeated_command_records_nothing_twice(journal_url: str):
    async def story(journal: Journal) -> None:
        await a_round(journal)
        call = Call("director", key="k", fingerprint="f")
        first, again = await close(journal, call), await close(journal, call)
        assert (again.repeated, again.events, again.sequence) == (True, first.events, first.sequence)
        with pytest.raises(KeyConflictError):
            await close(journal, Call("director", key="k", fingerprint="g"))
        assert [len(journal.history(game)) for game in GAMES] == [2, 2]

    run(journal_url, story)


@in_a_file
def test_a_dry_run_records_in_no_game(journal_url: str):
    async def story(journal: Journal) -> None:
        await a_round(journal)
        head = journal.head()
        tried = await journal.commit_to(
            TOURNAMENT, BY, STREAM, lambda _: (RoundClosed(1),), beside=LinkedStreams(GAMES, unless_abandoned), dry_run=True
        )
        assert (tried.after.rounds[0].closed, journal.head()) == (True, head)

    run(journal_url, story)


def test_where_another_process_came_first_it_is_decided_again_on_what_that_one_recorded(journal_url: str):
    async def story() -> None:
        async with opened(journal_url, alone=False) as here, opened(journal_url, alone=False) as there:
            await a_round(here)
            assert [(await here.current(game)).position for game in GAMES] == [1, 1]
            await there.commit(BY, GAMES[0], lambda _: (GameAbandoned(None),))
            await close(here)
            assert [names(there, game) for game in GAMES] == [["game.opened/1", "game.abandoned/1"]] * 2
            assert names(there, STREAM)[-1] == "round.closed/1"

    asyncio.run(story())
