"""Low scheduling priority for background processes."""

import os
import sys

NICE = 10


def lower_priority() -> None:
    """Lower the priority of this process so that it uses only idle CPU time.

    Linux interrupts the process as soon as another one wants to run. Other systems only have a lower priority, with which the process keeps
    running for some milliseconds.
    """
    os.nice(NICE)
    if sys.platform == "linux":
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
