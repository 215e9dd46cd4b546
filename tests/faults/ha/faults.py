"""What can happen to a cluster, how it is undone, and how often it shall happen."""

import signal
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import cycle, takewhile
from typing import Literal, get_args

import click
from msgspec import Struct

from tests.deploy.freezing import send
from tests.faults.ha import network
from tests.faults.ha.cluster import Cluster, Machine
from tests.faults.killing import Instance

Kind = Literal["killed", "frozen", "switched", "cut", "crashed", "standby", "service"]
KINDS: tuple[Kind, ...] = get_args(Kind)
"""``killed``: the primary, Patroni and PostgreSQL with all processes. ``frozen``: the same stand still until another one leads.
``switched``: as an operator does it. ``cut``: nothing comes from its machine or arrives there. ``crashed``: PostgreSQL alone. ``standby``:
one of those that the primary waits for stands still. ``service``: one of Kiebitz, killed."""
WORST: dict[Kind, float] = {"killed": 25, "frozen": 30, "switched": 5, "cut": 30}
"""Seconds that tables may pause in 95 of 100 cases."""


class Plan(Struct, frozen=True):
    """``rounds``: these, in this order. Empty: all in turn, for so many seconds.

    ``folder``: where the logs are to stay.
    """

    seconds: float = 600
    rounds: tuple[Kind, ...] = ()
    folder: str | None = None

    def kinds(self, cutting: bool) -> Iterator[Kind]:
        """``cutting``: whether a machine can be cut off here."""
        if self.rounds:
            yield from self.rounds
            return
        begin = time.monotonic()
        possible = [kind for kind in KINDS if kind != "cut" or cutting]
        yield from takewhile(lambda _: time.monotonic() - begin < self.seconds, cycle(possible))


def rounds_of(given: str | None) -> tuple[Kind, ...]:
    """``killed:3,frozen,switched:2``. Raises ``BadParameter``."""
    rounds: list[Kind] = []
    for part in given.split(",") if given else ():
        name, _, times = part.partition(":")
        kind = next((kind for kind in KINDS if kind == name), None)
        if kind is None or not (times or "1").isdigit():
            raise click.BadParameter(f"{part}: this is one of {', '.join(KINDS)}, with a colon and a number if it is to happen more often")
        rounds += [kind] * int(times or 1)
    return tuple(rounds)


class Fault(Struct, frozen=True):
    """``leads_on``: the same machine is the primary afterwards."""

    happen: Callable[[], object]
    undo: Callable[[], object] = lambda: None
    leads_on: bool = False


def fault_of(kind: Kind, cluster: Cluster, services: Sequence[Instance], number: int) -> Fault:
    """``number``: of how many before."""
    primary = cluster.primary()
    assert primary
    standby = _standby(cluster, primary)
    match kind:
        case "killed":
            return Fault(lambda: _send(cluster, primary, signal.SIGKILL), lambda: cluster.start_patroni(primary))
        case "frozen":
            return Fault(lambda: _send(cluster, primary, signal.SIGSTOP), lambda: _send(cluster, primary, signal.SIGCONT))
        case "switched":
            # To whom, only one can be. Where a candidate is named, the third machine waits two seconds before it follows him.
            return Fault(lambda: cluster.patronictl("switchover", "--leader", primary.name, "--force"))
        case "cut":
            return Fault(lambda: network.cut(primary), lambda: network.mend(primary))
        case "crashed":
            return Fault(lambda: send(cluster.postmaster(primary)[0], signal.SIGKILL))
        case "standby":
            return Fault(lambda: _send(cluster, standby, signal.SIGSTOP), lambda: _send(cluster, standby, signal.SIGCONT), leads_on=True)
        case "service":
            return Fault(services[number % len(services)].kill, leads_on=True)


def _standby(cluster: Cluster, primary: Machine) -> Machine:
    """One of those that the primary waits for."""
    name = next(one["name"] for one in cluster.members(primary) if one["role"] == "quorum_standby")
    return next(machine for machine in cluster.machines if machine.name == name)


def _send(cluster: Cluster, machine: Machine, number: signal.Signals) -> None:
    for pid in cluster.family(machine):
        send(pid, number)
