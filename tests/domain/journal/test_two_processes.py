"""Two processes on one store, as far as a journal can tell: nobody is refused because the other one was faster."""

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import islice

import pytest

from domain.errors import Refused, Stale, Unavailable
from domain.events import Event
from domain.events.player import PlayerClubChanged
from domain.game import Game
from domain.journal.application import Journal, growing_pauses
from domain.journal.commits import Call
from domain.player import PLAYER, Player, player_stream, registration
from tests.domain.journal.test_application import GAME, TRAIL_ACE, TRAIL_TEN, dealt, opened, plays
from tests.domain.journal.test_both import elsewhere, merge, registered

TRAIL_KING = (0, {"type": "trail", "card": "KS"})
A = player_stream("a")
RECORDER = Call("recorder")


async def play_from(journal: Journal, move: tuple[object, object], call: Call = RECORDER) -> list[int]:
    """Plays a move; answers the positions that it was decided on."""
    decided: list[int] = []

    def decide(game: Game) -> Sequence[Event]:
        decided.append(game.position)
        return plays(move)(game)

    await journal.commit(call, GAME, decide)
    return decided


def test_what_would_be_refused_on_an_older_position_is_decided_on_the_newest(journal_url: str):
    async def story(here: Journal, there: Journal) -> None:
        await dealt(here)
        await there.commit(Call("there"), GAME, plays(TRAIL_ACE))
        await there.commit(Call("there"), GAME, plays(TRAIL_TEN))
        await here.commit(Call("here"), GAME, plays(TRAIL_KING))
        await there.commit(Call("there"), GAME, plays((1, {"type": "trail", "card": "9S"})))
        assert await play_from(here, (0, {"type": "trail", "card": "8S"})) == [5, 6]

    elsewhere(journal_url, story)


def test_a_refusal_is_told_of_the_newest_position(journal_url: str):
    async def story(here: Journal, there: Journal) -> None:
        await dealt(here)
        await there.commit(Call("there"), GAME, plays(TRAIL_ACE))
        with pytest.raises(Refused) as refused:  # on the position that is known here it would not be his turn
            await here.commit(Call("here"), GAME, plays((1, {"type": "trail", "card": "KS"})))
        assert refused.value.code == "card_not_in_hand"

    elsewhere(journal_url, story)


def test_a_position_that_is_named_and_another_process_has_reached_is_known(journal_url: str):
    async def story(here: Journal, there: Journal) -> None:
        await dealt(here)
        await there.commit(Call("there"), GAME, plays(TRAIL_ACE))
        await play_from(here, TRAIL_TEN, Call("here", expected=3))
        await there.commit(Call("there"), GAME, plays(TRAIL_KING))
        with pytest.raises(Stale) as stale:
            await here.commit(Call("here", expected=3), GAME, plays(TRAIL_KING))
        assert (stale.value.expected, stale.value.actual) == (3, 5)

    elsewhere(journal_url, story)


def test_a_dry_run_is_tried_on_the_newest_position(journal_url: str):
    async def story(here: Journal, there: Journal) -> None:
        await dealt(here)
        await there.commit(Call("there"), GAME, plays(TRAIL_ACE))
        tried = await here.commit(Call("here"), GAME, plays(TRAIL_TEN), dry_run=True)
        assert (tried.before and tried.before.position, tried.after.position) == (3, 4)

    elsewhere(journal_url, story)


def test_a_legal_move_is_decided_once_also_after_another_process_was_read(journal_url: str):
    async def story(here: Journal, there: Journal) -> None:
        await dealt(here)
        assert await play_from(here, TRAIL_ACE) == [2]
        await there.commit(Call("there"), GAME, plays(TRAIL_TEN))
        assert (await here.current(GAME)).position == 4
        assert await play_from(here, TRAIL_KING) == [4]  # what was read is what the next command is decided on

    elsewhere(journal_url, story)


def test_a_game_that_nobody_else_writes_to_is_not_read_again_to_refuse(journal_url: str):
    async def story() -> None:
        async with opened(journal_url, alone=True) as journal:
            await dealt(journal)
            decided: list[int] = []

            def decide(game: Game) -> Sequence[Event]:
                decided.append(game.position)
                return plays(TRAIL_TEN)(game)

            with pytest.raises(Refused):
                await journal.commit(Call("recorder"), GAME, decide)
            assert decided == [2]

    asyncio.run(story())


def test_of_two_players_at_once_nothing_is_refused_because_of_an_older_position(journal_url: str):
    async def story(here: Journal, there: Journal) -> None:
        await registered(here, "a", "b")
        await there.current_of(PLAYER, A)
        await there.current_of(PLAYER, player_stream("b"))
        await merge(here, "a", "b")
        receipt = await there.commit_to_both(PLAYER, Call("there"), A, player_stream("b"), Player.split)
        assert (receipt.after.position, receipt.after.into) == (3, None)
        assert (await merge(here, "a", "b")).after.position == 4

    elsewhere(journal_url, story)


# The same command under way in both


def record_elsewhere(journal_url: str, call: Call, move: tuple[object, object]) -> None:
    """Records a move as another process would, and returns when it is recorded."""

    async def told() -> None:
        async with opened(journal_url, alone=False) as other:
            await other.commit(call, GAME, plays(move))

    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, told()).result()


@pytest.mark.parametrize(
    ("ahead", "move", "decided_on"), [((), TRAIL_ACE, [2]), ((TRAIL_ACE,), TRAIL_TEN, [2, 4])], ids=["taken", "refused"]
)
def test_a_command_that_another_process_records_meanwhile_gets_its_receipt(
    journal_url: str, ahead: Sequence[tuple[object, object]], move: tuple[object, object], decided_on: list[int]
):
    """Its key was not there when it was looked up. The move is legal where it is decided, or refused because it has been made."""

    async def story(here: Journal, there: Journal) -> None:
        await dealt(here)
        for one in ahead:
            await there.commit(Call("there"), GAME, plays(one))
        call = Call("recorder", key="k", fingerprint="f")
        decided: list[int] = []

        def decide(game: Game) -> Sequence[Event]:
            if not decided:
                record_elsewhere(journal_url, call, move)
            decided.append(game.position)
            return plays(move)(game)

        receipt = await here.commit(call, GAME, decide)
        assert (decided, receipt.repeated, receipt.after.position) == (decided_on, True, 3 + len(ahead))
        assert (await here.current(GAME)).position == 3 + len(ahead)

    elsewhere(journal_url, story)


# Both recording in one stream


def test_of_two_processes_that_record_in_one_stream_none_is_refused(journal_url: str):
    each = 200

    async def story(here: Journal, there: Journal) -> None:
        await here.begin(PLAYER, Call("director"), A, [registration("a", None)])
        decisions = 0

        async def transfers(journal: Journal, name: str) -> None:
            nonlocal decisions
            for number in range(each):

                def decide(player: Player, club: str = f"{name}-{number}") -> Sequence[Event]:
                    nonlocal decisions
                    decisions += 1
                    return [player.transfer(club)]

                await journal.commit_to(PLAYER, Call("director"), A, decide)

        await asyncio.gather(transfers(here, "here"), transfers(there, "there"))
        assert decisions > 2 * each  # they did come in each other's way
        clubs = [one.event.club for one in here.history(A) if isinstance(one.event, PlayerClubChanged)]
        for name in ("here", "there"):
            assert [club for club in clubs if club and club.startswith(name)] == [f"{name}-{number}" for number in range(each)]

    elsewhere(journal_url, story)


def test_who_never_comes_first_is_told_so_in_time(journal_url: str):
    async def story() -> None:
        async with opened(journal_url, alone=False) as other:
            await dealt(other)
        async with opened(journal_url, alone=False, patience=0) as journal:
            await journal.current(GAME)
            asked = 0

            def decide(game: Game) -> Sequence[Event]:
                nonlocal asked
                asked += 1
                record_elsewhere(journal_url, Call("other"), TRAIL_ACE if game.table.turn == 0 else TRAIL_TEN)
                return plays(TRAIL_ACE if game.table.turn == 0 else TRAIL_TEN)(game)

            with pytest.raises(Unavailable) as away:
                await journal.commit(Call("recorder"), GAME, decide)
            assert (asked, away.value.unclear, (await journal.current(GAME)).position) == (1, False, 3)

    asyncio.run(story())


def test_pauses_grow_to_a_tenth_of_a_second_and_are_never_the_same_for_two():
    assert list(islice(growing_pauses(lambda: 1.0), 8)) == [0.002, 0.004, 0.008, 0.016, 0.032, 0.064, 0.1, 0.1]
    assert list(islice(growing_pauses(lambda: 0.5), 3)) == [0.001, 0.002, 0.004]
