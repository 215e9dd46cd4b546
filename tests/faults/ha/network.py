"""Three machines that are network namespaces, joined by a bridge: a machine can be cut off, and nobody is told so.

All of it lies in namespaces of this run's own, of the network and of processes: nothing outside is touched, and nothing is left, however
the run ends.
"""

import os
import shutil
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.faults.ha.cluster import Machine, on_loopback

_HALL, _BRIDGE = "10.77.0.1/24", "hall"
_PATIENCE = 10.0  # seconds for a namespace


def is_possible() -> bool:
    return os.geteuid() == 0 and all(map(shutil.which, ("ip", "unshare", "nsenter")))


def apart(command: Sequence[str]) -> list[str]:
    """The command in namespaces of its own. The shell is there to bury the dead, as the first process of a machine has to."""
    alone = ["unshare", "--net", "--pid", "--mount-proc", "--fork", "--kill-child"]
    return [*alone, "bash", "-c", '"$@"; exit $?', "bash", *command]


@contextmanager
def machines() -> Iterator[tuple[Machine, ...]]:
    """To be called in a namespace of one's own, where it is possible. Services and HAProxy are where the caller is."""
    if not is_possible():
        yield on_loopback()
        return
    _ip("link set lo up")
    _ip(f"link add {_BRIDGE} type bridge")
    _ip(f"link set {_BRIDGE} up")
    _ip(f"address add {_HALL} dev {_BRIDGE}")
    with ExitStack() as stack:
        yield tuple(stack.enter_context(_joined(f"machine-{number}", f"10.77.0.1{number}")) for number in (1, 2, 3))


def cut(machine: Machine) -> None:
    """Whatever is sent to it or by it is lost. Its own network card notices nothing."""
    _ip(f"link set {_cable(machine)} nomaster")


def mend(machine: Machine) -> None:
    _ip(f"link set {_cable(machine)} master {_BRIDGE}")


@contextmanager
def _joined(name: str, address: str) -> Iterator[Machine]:
    holder = subprocess.Popen(["unshare", "--net", "sleep", "infinity"])
    try:
        _wait_for_namespace(holder.pid)
        machine = Machine(name, address, ("nsenter", f"--net=/proc/{holder.pid}/ns/net"))
        _ip(f"link add {_cable(machine)} type veth peer name eth0 netns {holder.pid}")
        mend(machine)
        _ip(f"link set {_cable(machine)} up")
        for step in ("link set lo up", f"address add {address}/24 dev eth0", "link set eth0 up"):
            _ip(step, machine.enter)
        yield machine
    finally:
        holder.kill()
        holder.wait()


def _wait_for_namespace(pid: int) -> None:
    deadline = time.monotonic() + _PATIENCE
    while _namespace(pid) == _namespace(os.getpid()):
        assert time.monotonic() < deadline
        time.sleep(0.01)


def _namespace(pid: int) -> str:
    return str(Path(f"/proc/{pid}/ns/net").readlink())


def _cable(machine: Machine) -> str:
    return f"to-{machine.name}"


def _ip(step: str, enter: Sequence[str] = ()) -> None:
    subprocess.run([*enter, "ip", *step.split()], check=True, capture_output=True)
