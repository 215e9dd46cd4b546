"""What of a game is open to everybody, by its openness and by what has happened: in it, around it, and by the word of an official."""

from datetime import UTC, datetime, timedelta
from typing import TypeAlias

import pytest

from domain.errors import InvalidFormatError, Refused
from domain.events.game import GameAbandoned, GameMadePublic, GameOpened, Openness, OpensAt, RewindRecorded
from domain.opening import OpennessContext, opening
from domain.sight import Viewer
from tests.domain.test_game import Recorder
from tests.domain.toy import TOY
from tests.each import each
from tests.projections.histories import NOTHING, table_at

MOMENT = datetime(2026, 11, 22, 18, tzinfo=UTC)
AT = OpensAt(MOMENT)
EVERYTHING = OpennessContext(round_over=True, tournament_over=True, now=MOMENT)
"""All that an openness may wait for has come to pass."""

OPENINGS: tuple[Openness, ...] = ("hand_over", "game_over", "round_over", "tournament_over", AT, "never")


Seen: TypeAlias = tuple[bool, bool, bool]


def a_game(openness: Openness, *, live: bool = True, to: str = "second hand") -> Recorder:
    """Of three hands: position 1 is its opening, 2 to 4 are its first hand, 5 is the deal of the second, 6 a move in it."""
    recorder = Recorder(hands=2)
    recorder.history.clear()
    recorder.add(opening(TOY, {"hands": 2}, 2, openness=openness, live=live, tournament="spring", round=1, table="1"))
    recorder.deal()
    recorder.lay((0, "1"), (1, "3"))
    recorder.deal()
    recorder.lay((0, "1"))
    match to:
        case "game over":
            recorder.lay((1, "3"))
        case "abandoned":
            recorder.enact(GameAbandoned(None))
        case "disclosed":
            recorder.enact(GameMadePublic(None))
        case "taken back":
            recorder.rewind(5)
    return recorder


def is_open(recorder: Recorder, around: OpennessContext = NOTHING) -> Seen:
    """Of the first hand, of the one in progress, and of all words."""
    game = recorder.game
    return game.is_open(3, around), game.is_open(6, around), game.is_open_through(game.position, around)


SHUT, FIRST, ALL = (False, False, False), (True, False, False), (True, True, True)


@each(
    ("openness", "in_play", "ended", "come", "disclosed"),
    [
        #                   a hand is played   the game is over   what it waits for has come   an official opened it
        ("hand_over", FIRST, ALL, FIRST, ALL),
        ("game_over", SHUT, ALL, SHUT, ALL),
        ("round_over", SHUT, SHUT, ALL, ALL),
        ("tournament_over", SHUT, SHUT, ALL, ALL),
        (AT, SHUT, SHUT, ALL, ALL),
        ("never", SHUT, SHUT, SHUT, ALL),
    ],
)
def test_what_is_open_by_the_openness_and_by_what_has_happened(
    openness: Openness, in_play: object, ended: object, come: object, disclosed: object
):
    assert is_open(a_game(openness)) == in_play
    assert is_open(a_game(openness, to="game over")) == ended
    assert is_open(a_game(openness, to="abandoned")) == ended
    assert is_open(a_game(openness), EVERYTHING) == come
    assert is_open(a_game(openness, to="disclosed")) == disclosed


@each("openness", OPENINGS)
def test_a_game_that_is_over_and_for_which_everything_has_come_is_open_unless_it_never_opens(openness: Openness):
    assert is_open(a_game(openness, to="game over"), EVERYTHING) == (SHUT if openness == "never" else ALL)


def test_a_game_opens_at_the_moment_and_not_before():
    game = a_game(AT).game
    before, then = OpennessContext(now=MOMENT - timedelta(microseconds=1)), OpennessContext(now=MOMENT)
    assert (game.is_open(3, NOTHING), game.is_open(3, before), game.is_open(3, then)) == (False, False, True)


@each("openness", OPENINGS)
def test_a_hand_that_was_taken_back_opens_with_the_one_that_replaces_it_whatever_opens_the_others(openness: Openness):
    recorder = a_game(openness)
    before_hand = table_at(recorder.history, 4)
    assert before_hand
    recorder.add(RewindRecorded(4, None, None, before_hand))
    recorder.enact(GameMadePublic(None))
    recorder.deal()
    game = recorder.game
    assert [game.is_open(position, EVERYTHING) for position in (3, 5, 6, game.position)] == [True, False, False, True]
    assert not game.is_open_through(game.position, EVERYTHING)
    recorder.lay((0, "1"), (1, "3"))
    assert recorder.game.is_open_through(recorder.game.position, EVERYTHING)


@each("openness", OPENINGS)
def test_nothing_opens_a_board_that_another_table_still_plays(openness: Openness):
    recorder = Recorder()
    recorder.history.clear()
    recorder.add(opening(TOY, {"hands": 1}, 2, openness=openness, tournament="spring", round=1, table="1"))
    recorder.deal_board(7)
    recorder.lay((0, "1"), (1, "3"))
    recorder.enact(GameMadePublic(None))
    assert not recorder.game.is_open(3, OpennessContext(frozenset({7}), round_over=True, tournament_over=True, now=MOMENT))
    assert recorder.game.is_open(3, EVERYTHING)


# What an official opens


def test_what_an_official_opened_stays_open():
    recorder = a_game("never", to="disclosed")
    recorder.rewind(5)
    recorder.lay((0, "2"), (1, "3"))
    assert recorder.game.is_open_through(recorder.game.position, NOTHING)


def test_a_game_is_opened_once():
    with pytest.raises(Refused, match="disclosed_already"):
        a_game("never", to="disclosed").enact(GameMadePublic(None))


# A game that is not live


def test_of_a_game_in_progress_that_is_not_live_the_public_is_told_nothing_whatever_it_waits_for():
    for openness in OPENINGS:
        game = a_game(openness, live=False).game
        assert [game.viewer("public", position, EVERYTHING) for position in (1, 3, 6)] == [Viewer("public", dark=True)] * 3
        assert [game.viewer(who, 3, EVERYTHING) for who in (0, "arbiter")] == [Viewer(0), Viewer("arbiter")]
        assert not game.is_open_through(6, EVERYTHING)


@each("to", ["game over", "abandoned", "disclosed"])
def test_it_is_told_as_any_other_when_it_is_over_or_opened(to: str):
    for openness in OPENINGS:
        dark, live = a_game(openness, live=False, to=to).game, a_game(openness, to=to).game
        assert [dark.viewer("public", position, EVERYTHING) for position in (1, 3, 6)] == [
            live.viewer("public", position, EVERYTHING) for position in (1, 3, 6)
        ]


def test_it_tells_no_word_not_even_one_that_is_public():
    recorder = a_game("hand_over", live=False)
    assert not recorder.game.tells("word", 3, EVERYTHING)


# For good


def test_what_is_closed_is_never_open_for_good():
    for openness in OPENINGS:
        assert not a_game(openness, to="game over").game.is_open_forever(3, NOTHING)
    kept = [openness for openness in OPENINGS if a_game(openness, to="abandoned").game.is_open_forever(3, NOTHING)]
    assert kept == ["hand_over", "game_over"]


def test_a_round_may_go_on_after_a_ruling_and_nothing_else_does():
    kept = [openness for openness in OPENINGS if a_game(openness, to="abandoned").game.is_open_forever(3, EVERYTHING)]
    assert kept == ["hand_over", "game_over", "tournament_over", AT]
    recorder = a_game("round_over", to="disclosed")
    recorder.enact(GameAbandoned(None))
    assert recorder.game.is_open_forever(3, EVERYTHING)


# What may be chosen


@each(
    ("openness", "place"),
    [("round_over", {}), ("round_over", {"round": 1}), ("round_over", {"tournament": "spring"}), ("tournament_over", {"round": 1})],
)
def test_what_a_game_does_not_belong_to_cannot_open_it(openness: Openness, place: dict[str, object]):
    with pytest.raises(InvalidFormatError) as malformed:
        opening(TOY, {}, 2, openness=openness, **place)  # pyrefly: ignore[bad-argument-type]
    assert (malformed.value.code, malformed.value.where) == ("bad_openness", "openness")


def test_a_moment_is_written_down_in_utc_and_a_live_game_says_nothing_of_it():
    told = datetime.fromisoformat("2026-11-22T19:00:00+01:00")
    opened = opening(TOY, {}, 2, openness=OpensAt(told))
    assert isinstance(opened.openness, OpensAt)
    assert opened.openness.at.isoformat() == "2026-11-22T18:00:00+00:00"
    assert opened == GameOpened(TOY.bind({}, 2).setup, TOY.edition, (None, None), AT)
    assert opening(TOY, {}, 2, live=False).live is False
