"""Warm-up of structs: each is decoded for the first time by one thread."""

import subprocess
import sys

MANY = """
import sys
from threading import Barrier, Thread
from typing import Annotated
import msgspec
from deploy.system.startup import preload_codecs

sys.setswitchinterval(1e-6)
document = b"{" + b",".join(b'"f%d":[{"a":1,"b":[1,2]}]' % number for number in range(20)) + b"}"

for round in range(60):
    inner = [msgspec.defstruct(f"In{number}", [("a", Annotated[int, msgspec.Meta(ge=0)]), ("b", list[int] | None)]) for number in range(20)]
    outer = msgspec.defstruct("Out", [(f"f{number}", list[kind]) for number, kind in enumerate(inner)])
    preload_codecs()
    together = Barrier(4, timeout=60)
    threads = [Thread(target=lambda: (together.wait(), msgspec.json.decode(document, type=outer))) for _ in range(4)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
"""


def test_threads_that_read_a_learned_struct_at_once_end_well():
    ran = subprocess.run([sys.executable, "-c", MANY], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
