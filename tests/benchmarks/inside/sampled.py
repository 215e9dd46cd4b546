"""`kiebitz serve` that looks two thousand times a second at which function its loop is in, and tells what each took since the last time:
seconds of processor time by file and function.
"""

import signal
import sys
from collections import Counter
from time import thread_time
from types import FrameType

from tests.benchmarks.inside.telling import Told, serve_and_tell

_EACH = 0.0005  # seconds
LOOP = "loop"
"""What is left: uvloop, the kernel, and what both call by themselves."""


def main(*where: str) -> None:
    seen, begun = Counter[str](), thread_time()

    def look(_: int, frame: FrameType | None) -> None:
        """Where nothing is asked the loop waits, and only its own function is seen."""
        if frame is not None and frame.f_code.co_name != "run":
            seen[f"{frame.f_code.co_filename}:{frame.f_code.co_qualname}"] += 1

    def tell() -> Told:
        nonlocal begun
        taken, begun = thread_time() - begun, thread_time()
        times = dict(seen)  # at once: there is another look at any moment
        seen.clear()
        found = {where: number * _EACH for where, number in times.items()}
        return {**found, LOOP: taken - sum(found.values())}

    signal.signal(signal.SIGALRM, look)
    signal.setitimer(signal.ITIMER_REAL, _EACH, _EACH)
    serve_and_tell(tell, *where, apart=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
