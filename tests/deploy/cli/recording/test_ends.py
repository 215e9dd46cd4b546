"""However a recorder ends, what was recorded is there once, and whoever starts again goes on from it."""

import json
import re
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.deploy.cli.recording.sessions import ALCASAN, game_of, kiebitz
from tests.deploy.serving import KIEBITZ, environment, served
from tests.forking import Process

LINES = ["", "37f", "99t", "44", "3", "8", "f"]
_ANSWERED = 2  # so many lines are answered before the next is typed and the recorder killed


class Recorder:
    """`kiebitz record` with lines piped in as they come; what it prints is read up to the next prompt."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self.process = process

    def types(self, line: str) -> None:
        assert self.process.stdin
        self.process.stdin.write(f"{line}\n".encode())
        self.process.stdin.flush()

    def asks(self) -> str:
        """The next prompt, and all that was printed before it."""
        assert self.process.stdout
        read = b""
        while not read.endswith(b" > "):
            sign = self.process.stdout.read(1)
            assert sign, read.decode()
            read += sign
        return read.decode()

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()


@contextmanager
def recorder(*arguments: object) -> Iterator[Recorder]:
    command = [str(KIEBITZ), "record", *map(str, arguments), "--lang", "en"]
    with Process(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment(LC_ALL="C.UTF-8")) as process:
        try:
            yield Recorder(process)
        finally:
            process.kill()


def next_of(prompt: str) -> int:
    """Which of the lines comes next, from the position that the prompt names."""
    return int(prompt.splitlines()[-1].split()[0]) - 2


def moves_in(where: Sequence[object], game: str) -> list[object]:
    exported = json.loads(kiebitz("export", game, *where).stdout)
    return [move["move"] for move in exported["hands"][0]["moves"]]


@contextmanager
def store(way: str, data: Path) -> Iterator[Sequence[object]]:
    if way == "here":
        yield ("--data", data)
    else:
        with served("--data", data) as server:
            yield ("--url", server.url, "--token", server.token)


@pytest.mark.parametrize("way", ["here", "through a server"])
def test_killed_at_any_moment_it_goes_on_with_nothing_lost_and_nothing_twice(tmp_path: Path, way: str):
    """Killed right after a line was typed it may be recorded or not: the position says which is next."""
    with store(way, tmp_path / "killed") as where:
        game = game_of(kiebitz("record", *ALCASAN, *where))
        reached = 0
        while reached < len(LINES):
            with recorder(game, *where) as one:
                at = next_of(one.asks())
                assert reached <= at <= reached + 1
                for line in LINES[at : at + _ANSWERED]:
                    one.types(line)
                    one.asks()
                for line in LINES[at + _ANSWERED :][:1]:
                    one.types(line)
                one.kill()
            reached = min(at + _ANSWERED, len(LINES))
        killed = moves_in(where, game)
    whole = game_of(kiebitz("record", *ALCASAN, "--data", tmp_path / "whole", lines=LINES))
    assert killed == moves_in(("--data", tmp_path / "whole"), whole)


def test_killed_after_taking_back_it_offers_the_same_again(tmp_path: Path):
    game = game_of(kiebitz("record", *ALCASAN, "--data", tmp_path, lines=LINES[:4]))
    with recorder(game, "--data", tmp_path) as one:
        one.asks()
        one.types("/undo 2")
        assert one.asks().endswith("7 seat 1 [Enter again: 99T] > ")
        one.kill()
    with recorder(game, "--data", tmp_path) as one:
        assert one.asks().endswith("7 seat 1 [Enter again: 99T] > ")
        one.types("")
        assert one.asks().endswith("8 seat 1 [Enter again: 44] > ")
        one.kill()
    with recorder(game, "--data", tmp_path) as one:
        assert one.asks().endswith("8 seat 1 [Enter again: 44] > ")


def test_of_two_recorders_the_second_is_shown_what_the_first_recorded(tmp_path: Path):
    with served("--data", tmp_path) as server:
        through = ("--url", server.url, "--token", server.token)
        game = game_of(kiebitz("record", *ALCASAN, *through, lines=LINES[:3]))
        with recorder(game, *through) as one, recorder(game, *through) as other:
            one.asks()
            other.asks()
            one.types("44")
            one.asks()
            other.types("55")
            assert other.asks().splitlines() == [
                "55",
                "Seat 1 lays water (4), water (4) and draws 2.",
                "Somebody else recorded this meanwhile, so your line was not recorded. Look, and type it again.",
                "6 seat 0 > ",
            ]
        assert len(moves_in(through, game)) == 3


def test_on_a_store_of_ones_own_a_second_recorder_is_told_who_has_it(tmp_path: Path):
    game = game_of(kiebitz("record", *ALCASAN, "--data", tmp_path))
    with recorder(game, "--data", tmp_path) as one:
        one.asks()
        second = kiebitz("record", game, "--data", tmp_path, "--lang", "en")
        assert (second.exit_code, "record" in second.stderr, "Traceback" in second.output) == (1, True, False)


def test_where_the_server_goes_away_it_ends_in_words_and_says_how_to_go_on(tmp_path: Path):
    with served("--data", tmp_path) as server:
        through = ("--url", server.url, "--token", server.token)
        game = game_of(kiebitz("record", *ALCASAN, *through, lines=LINES[:3]))
        with recorder(game, *through) as one:
            one.asks()
            server.kill()
            one.types("44")
            assert one.process.stdout
            said = one.process.stdout.read().decode()
            assert re.search(rf"The game goes on where it is now with: (\./run|kiebitz) record {game}", said)
            assert one.process.wait() == 1
