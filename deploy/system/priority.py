"""A process that does what can wait."""

import os
import sys

NICE = 10


def give_way() -> None:
    """Others go first; where nobody else wants to, this process takes all that there is. Linux interrupts it as soon as somebody does;
    elsewhere there is a lower priority only, with which it goes on for some milliseconds.
    """
    os.nice(NICE)
    if sys.platform == "linux":
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
