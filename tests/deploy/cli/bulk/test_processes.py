"""Batches in several processes: order, parallelism, and errors in a process."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from itertools import count
from pathlib import Path

import pytest

from deploy.cli.bulk import FEW, in_order
from deploy.config.failures import Failure
from tests.deploy.cli.bulk.work import place
from tests.deploy.serving import PATIENCE, environment, until

COUNT = FEW + 8


def meet(folder: Path, own: str, other: str, number: int) -> int:
    """Comes back when the other process is at work, too."""
    if number >= FEW:
        (folder / own).touch()
        until((folder / other).exists)
    return number


def fall(number: int) -> int:
    if number == FEW + 2:
        raise ZeroDivisionError("in whichever process")
    return number


def be_killed(number: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return number


def elsewhere(number: int) -> tuple[int, int]:
    return number, 0


def test_answers_come_in_the_order_of_the_batches_the_first_from_here_the_next_from_elsewhere():
    answers = list(in_order(place, place, range(COUNT), 2))
    assert [number for number, _ in answers] == list(range(COUNT))
    assert [process == os.getpid() for _, process in answers[: FEW + 2]] == [True] * FEW + [False] * 2


def test_one_process_is_this_one():
    answers = list(in_order(place, elsewhere, range(COUNT), 1))
    assert answers == [(number, os.getpid()) for number in range(COUNT)]


def test_one_process_answers_before_it_asks_for_the_next_batch():
    asked = count()
    assert (next(in_order(place, elsewhere, asked, 1))[0], next(asked)) == (0, 1)


def test_two_processes_work_at_the_same_time(tmp_path: Path):
    here, there = partial(meet, tmp_path, "here", "there"), partial(meet, tmp_path, "there", "here")
    assert list(in_order(here, there, range(COUNT), 2)) == list(range(COUNT))


def test_what_a_process_raises_is_raised_after_the_answers_before_it():
    answers = in_order(fall, fall, range(COUNT), 2)
    assert [next(answers) for _ in range(FEW + 2)] == list(range(FEW + 2))
    with pytest.raises(ZeroDivisionError, match="in whichever process"):
        next(answers)


def test_a_process_that_is_killed_is_told_in_words():
    def here(number: int) -> int:
        return number

    with pytest.raises(Failure, match="was killed") as raised:
        list(in_order(here, be_killed, range(COUNT), 2))
    assert "--jobs 1" in str(raised.value)


INTERRUPTED = """
from itertools import count
from deploy.cli.bulk import in_order
from tests.deploy.cli.bulk.work import long, place

if __name__ == "__main__":
    for number, process in in_order(place, long, count(), 2):
        print(number, process, flush=True)
"""


def test_of_an_interrupt_only_the_first_process_says_anything(tmp_path: Path):
    script = tmp_path / "endless.py"
    script.write_text(INTERRUPTED)
    own = environment(PYTHONPATH=str(Path(__file__).parents[4]))
    with subprocess.Popen(
        [sys.executable, str(script)], env=own, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        for line in lines(process):
            if int(line.split()[0]) > COUNT:
                break
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does it: all processes get it
        _, said = process.communicate()
    assert (said.count("Traceback"), said.count("KeyboardInterrupt")) == (1, 1)


def test_where_the_first_process_is_killed_the_others_end(tmp_path: Path):
    script = tmp_path / "endless.py"
    script.write_text(INTERRUPTED)
    own = environment(PYTHONPATH=str(Path(__file__).parents[4]))
    with subprocess.Popen([sys.executable, str(script)], env=own, stdout=subprocess.PIPE, text=True) as process:
        other = next(number for number in (int(line.split()[1]) for line in lines(process)) if number != process.pid)
        process.kill()
        assert process.stdout is not None
        process.stdout.read()  # to its end: nobody holds the other end any more
    until(lambda: not Path(f"/proc/{other}").exists())


LOCKED = """
import signal, sys
from threading import Condition
from deploy.cli.bulk import in_order
from tests.deploy.cli.bulk.work import long, place

def interrupt(frame, event, _):
    if event == "return" and frame.f_code is Condition.__enter__.__code__:
        asked = frame.f_back
        if asked.f_code.co_name == sys.argv[1] and asked.f_locals["self"]._state != "FINISHED":
            sys.setprofile(None)
            signal.raise_signal(signal.SIGINT)

if __name__ == "__main__":
    sys.setprofile(interrupt)
    for answer in in_order(place, long, range(30), 2):
        pass
    print("not interrupted")
"""


@pytest.mark.parametrize("where", ["done", "result"])
def test_an_interrupt_while_an_answer_is_looked_for_leaves_nothing_locked(tmp_path: Path, where: str):
    """It comes where the pool's lock of that answer has just been taken, and the thread that brings it waits for this lock."""
    script = tmp_path / "locked.py"
    script.write_text(LOCKED)
    own = environment(PYTHONPATH=str(Path(__file__).parents[4]))
    ended = subprocess.run([sys.executable, str(script), where], env=own, capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert (ended.returncode, ended.stderr.splitlines()[-1]) == (-signal.SIGINT, "KeyboardInterrupt")


def lines(process: "subprocess.Popen[str]") -> Iterator[str]:
    assert process.stdout is not None
    return iter(process.stdout)
