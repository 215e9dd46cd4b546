"""Commands on two at once: mergers of players, decided on both and recorded in both or in none."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from domain.errors import Refused, Stale, Unknown
from domain.events.player import PlayerClubChanged, PlayerErased, PlayerJoined, PlayerMerged
from domain.journal.application import Journal
from domain.journal.commits import Call, Receipt
from domain.player import PLAYER, Player, player_stream, registration
from tests.databases import in_a_file
from tests.domain.journal.test_application import opened, run

A, B = player_stream("a"), player_stream("b")
BY = Call("director")


async def registered(journal: Journal, *players: str) -> None:
    for player in players:
        await journal.begin(PLAYER, BY, player_stream(player), [registration(player, None)])


async def merge(journal: Journal, one: str, into: str, call: Call = BY) -> Receipt[Player]:
    return await journal.commit_to_both(PLAYER, call, player_stream(one), player_stream(into), Player.merge)


def last_events(journal: Journal) -> list[object]:
    return [journal.history(stream)[-1].event for stream in (A, B)]


def test_both_get_their_event_in_one_commit_and_the_receipt_is_of_the_first(journal_url: str):
    async def story(journal: Journal) -> None:
        await registered(journal, "a", "b")
        receipt = await merge(journal, "a", "b")
        assert (receipt.after.id, receipt.after.position, [one.event for one in receipt.events]) == (A, 2, [PlayerMerged("b")])
        assert last_events(journal) == [PlayerMerged("b"), PlayerJoined("a")]
        assert receipt.sequence == journal.head()
        assert (await journal.current_of(PLAYER, B)).joined == ("a",)

    run(journal_url, story)


@in_a_file
def test_a_refusal_changes_neither(journal_url: str):
    async def story(journal: Journal) -> None:
        await registered(journal, "a", "b")
        await merge(journal, "a", "b")
        before = journal.head()
        with pytest.raises(Refused):
            await merge(journal, "b", "a")
        assert journal.head() == before

    run(journal_url, story)


@in_a_file
def test_both_have_to_be_there(journal_url: str):
    async def story(journal: Journal) -> None:
        await registered(journal, "a")
        for one, into in (("a", "b"), ("b", "a")):
            with pytest.raises(Unknown) as unknown:
                await merge(journal, one, into)
            assert unknown.value.key == B

    run(journal_url, story)


@in_a_file
def test_the_position_that_is_expected_is_that_of_the_first(journal_url: str):
    async def story(journal: Journal) -> None:
        await registered(journal, "a", "b")
        await journal.commit_to(PLAYER, BY, B, lambda now: [now.transfer("Lehrte")])
        with pytest.raises(Stale) as stale:
            await merge(journal, "a", "b", Call("director", expected=2))
        assert (stale.value.stream, stale.value.actual) == (A, 1)
        assert (await merge(journal, "a", "b", Call("director", expected=1))).after.into == "b"

    run(journal_url, story)


def test_the_same_key_gives_the_same_answer(journal_url: str):
    async def story(journal: Journal) -> None:
        await registered(journal, "a", "b")
        call = Call("director", key="k", fingerprint="f")
        first, again = await merge(journal, "a", "b", call), await merge(journal, "a", "b", call)
        assert (again.repeated, again.events, again.after, again.sequence) == (True, first.events, first.after, first.sequence)

    run(journal_url, story)


async def outcome(merging: Awaitable[Receipt[Player]]) -> str:
    try:
        return str((await merging).after.into)
    except Refused as refused:
        return refused.code


@in_a_file
def test_of_mergers_that_cross_one_is_recorded_and_the_other_refused(journal_url: str):
    async def story(journal: Journal) -> None:
        await registered(journal, "a", "b")
        outcomes = await asyncio.gather(outcome(merge(journal, "a", "b")), outcome(merge(journal, "b", "a")))
        assert sorted(outcomes, key=len) == ["b", "player_merged"]

    run(journal_url, story)


@in_a_file
def test_a_ring_of_mergers_never_closes(journal_url: str):
    async def story(journal: Journal) -> None:
        ring = "abcde"
        await registered(journal, *ring)
        pairs = zip(ring, ring[1:] + ring[0], strict=True)
        await asyncio.gather(*(outcome(merge(journal, one, into)) for one, into in pairs))
        players = {player: await journal.current_of(PLAYER, player_stream(player)) for player in ring}
        assert any(player.into is None for player in players.values())
        assert all(players[other].into == player.player for player in players.values() for other in player.joined)

    run(journal_url, story)


def elsewhere(journal_url: str, story: Callable[[Journal, Journal], Awaitable[None]]) -> None:
    """Two processes on one store, as far as a journal can tell."""

    async def told() -> None:
        async with opened(journal_url, alone=False) as here, opened(journal_url, alone=False) as there:
            await story(here, there)

    asyncio.run(told())


def test_crossing_mergers_of_two_processes_are_kept_apart_too(journal_url: str):
    async def story(here: Journal, there: Journal) -> None:
        await registered(here, "a", "b")
        await there.current_of(PLAYER, A)
        await there.current_of(PLAYER, B)
        await merge(here, "a", "b")
        with pytest.raises(Refused) as refused:  # it still holds both as they were, and finds out
            await merge(there, "b", "a")
        assert (refused.value.code, refused.value.detail) == ("player_merged", {"player": "a", "into": "b"})

    elsewhere(journal_url, story)


def test_nobody_is_merged_into_one_whom_another_process_has_erased(journal_url: str):
    async def story(here: Journal, there: Journal) -> None:
        await registered(here, "a", "b")
        await there.current_of(PLAYER, B)
        await here.commit_to(PLAYER, BY, B, lambda now: [now.erase()])
        with pytest.raises(Refused) as refused:
            await merge(there, "a", "b")
        assert (refused.value.code, refused.value.detail) == ("player_erased", {"player": "b"})
        assert last_events(here) == [registration("a", None), PlayerErased()]

    elsewhere(journal_url, story)


def test_what_another_process_did_meanwhile_to_one_of_them_hinders_nobody(journal_url: str):
    async def story(here: Journal, there: Journal) -> None:
        await registered(here, "a", "b")
        await there.current_of(PLAYER, A)
        await there.current_of(PLAYER, B)
        await here.commit_to(PLAYER, BY, B, lambda now: [now.transfer("Lehrte")])
        assert (await merge(there, "a", "b")).after.into == "b"
        assert [one.event for one in here.history(B)][1:] == [PlayerClubChanged("Lehrte"), PlayerJoined("a")]

    elsewhere(journal_url, story)
