"""Start of processes: low scheduling priority in the background, and warm-up of msgspec's type information before threads start."""

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from weakref import WeakSet

from msgspec import Struct
from msgspec.json import Decoder

_LEARNED: WeakSet[type[Struct]] = WeakSet()
"""Types that this process has warmed up. Weak: the framework creates types per application that disappear with it."""


def preload_codecs() -> None:
    """Warm up every struct that is defined so far.

    msgspec analyses a struct when it is decoded for the first time. If two threads do so at once with the same struct, the process may end
    with a segmentation fault (seen with 0.22.0).
    """
    for kind in _below(Struct):
        if kind not in _LEARNED:
            _LEARNED.add(kind)
            with suppress(TypeError):  # some are never decoded: they have fields that JSON cannot represent
                Decoder(kind)


def _below(kind: type[Struct]) -> Iterator[type[Struct]]:
    for one in kind.__subclasses__():
        yield one
        yield from _below(one)


NICE = 10


def lower_priority() -> None:
    """Lower the priority of this process so that it uses only idle CPU time.

    Linux interrupts the process as soon as another one wants to run. Other systems only have a lower priority, with which the process keeps
    running for some milliseconds.
    """
    os.nice(NICE)
    if sys.platform == "linux":
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
