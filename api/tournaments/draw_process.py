"""Draws of large fields, by a process of lower priority: the matching holds the interpreter, and everybody else would wait for it."""

import os
import subprocess
import sys

import msgspec

from domain.errors import Refused, Unavailable
from domain.tournament.pairing import DrawTask, Pairing, draw

LARGE = 64
"""Entrants. To draw 64 holds the interpreter for 8 ms or more; a process takes 64 ms to start."""
_NICE = 10
_COMMAND = (sys.executable, "-P", "-m", "api.tournaments.draw_process")  # -P: import nothing from the current folder


def draw_in_process(task: DrawTask) -> Pairing:
    """Return the pairing, of a large field by another process. Raises ``Refused`` as the draw does, ``Unavailable`` if it was killed."""
    if len(task.entrants) <= LARGE:
        return draw(task)
    done = subprocess.run(_COMMAND, input=msgspec.json.encode(task), stdout=subprocess.PIPE, check=False)
    if done.returncode:
        raise Unavailable(f"the draw ended with {done.returncode}", unclear=False)
    answer = msgspec.json.decode(done.stdout, type=Pairing | None)
    return draw(task) if answer is None else answer  # a refusal is quick and says why


def main() -> None:
    """Answer the draw that standard input asks for; ``null`` where it is refused."""
    os.nice(_NICE)
    try:
        answer = draw(msgspec.json.decode(sys.stdin.buffer.read(), type=DrawTask))
    except Refused:
        answer = None
    sys.stdout.buffer.write(msgspec.json.encode(answer))


if __name__ == "__main__":
    main()
