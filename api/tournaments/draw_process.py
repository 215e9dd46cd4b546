"""Draws of large fields, by a process of lower priority: the matching holds the interpreter, and everybody else would wait for it."""

import os
import subprocess
import sys
from collections.abc import Sequence

import msgspec
from msgspec import Struct

from domain.errors import Refused, Unavailable
from domain.events.tournament import TournamentAnnounced
from domain.standings.plan import Bye, Outcome
from domain.tournament.pairing import Pairing, draw
from domain.tournament.pairing.tables import NO_CONSTRAINTS, DrawConstraints
from domain.tournament.state import Entrant

LARGE = 64
"""Entrants. To draw 64 holds the interpreter for 8 ms or more; a process takes 64 ms to start."""
_NICE = 10
_COMMAND = (sys.executable, "-P", "-m", "api.tournaments.draw_process")  # -P: import nothing from the current folder


class _Work(Struct, frozen=True):
    plan: TournamentAnnounced
    entrants: Sequence[Entrant]
    outcomes: Sequence[Outcome]
    byes: Sequence[Bye]
    round: int
    wishes: DrawConstraints


def draw_in_process(
    plan: TournamentAnnounced,
    entrants: Sequence[Entrant],
    outcomes: Sequence[Outcome],
    byes: Sequence[Bye],
    round: int,
    wishes: DrawConstraints = NO_CONSTRAINTS,
) -> Pairing:
    """Return the pairing, of a large field by another process. Raises ``Refused`` as the draw does, ``Unavailable`` if it was killed."""
    if len(entrants) <= LARGE:
        return draw(plan, entrants, outcomes, byes, round, wishes)
    work = msgspec.json.encode(_Work(plan, entrants, outcomes, byes, round, wishes))
    done = subprocess.run(_COMMAND, input=work, stdout=subprocess.PIPE, check=False)
    if done.returncode:
        raise Unavailable(f"the draw ended with {done.returncode}", unclear=False)
    answer = msgspec.json.decode(done.stdout, type=Pairing | None)
    return draw(plan, entrants, outcomes, byes, round, wishes) if answer is None else answer  # a refusal is quick and says why


def main() -> None:
    """Answer the draw that standard input asks for; ``null`` where it is refused."""
    os.nice(_NICE)
    work = msgspec.json.decode(sys.stdin.buffer.read(), type=_Work)
    try:
        answer = draw(work.plan, work.entrants, work.outcomes, work.byes, work.round, work.wishes)
    except Refused:
        answer = None
    sys.stdout.buffer.write(msgspec.json.encode(answer))


if __name__ == "__main__":
    main()
