"""What can happen to a cluster, and how it is undone."""

import signal
import subprocess
from collections.abc import Callable, Sequence

from msgspec import Struct

from deploy.ha import processes, state
from deploy.ha.cluster import Cluster
from deploy.ha.layout import Machine
from tests.faults.ha import network
from tests.faults.ha.plan import Kind
from tests.faults.killing import Instance


class Fault(Struct, frozen=True):
    """``leads_on``: the same machine is the primary afterwards."""

    happen: Callable[[], object]
    undo: Callable[[], object] = lambda: None
    leads_on: bool = False


def fault_of(kind: Kind, cluster: Cluster, services: Sequence[Instance], number: int) -> Fault:
    """``number``: of how many before."""
    primary, standby = _primary(cluster), _standby(cluster)
    match kind:
        case "killed":
            return Fault(lambda: _kill(cluster, primary), lambda: cluster.start_patroni(primary))
        case "frozen":
            return Fault(lambda: _send(cluster, primary, signal.SIGSTOP), lambda: _send(cluster, primary, signal.SIGCONT))
        case "switched":
            return Fault(lambda: _switch(cluster, primary))
        case "cut":
            return Fault(lambda: network.cut(primary), lambda: network.mend(primary))
        case "crashed":
            return Fault(lambda: processes.send(cluster.pids(primary)[-1], signal.SIGKILL))
        case "standby":
            return Fault(lambda: _send(cluster, standby, signal.SIGSTOP), lambda: _send(cluster, standby, signal.SIGCONT), leads_on=True)
        case "service":
            return Fault(services[number % len(services)].kill, leads_on=True)


def _primary(cluster: Cluster) -> Machine:
    found = state.primary(cluster.layout.machines)
    assert found
    return found


def _standby(cluster: Cluster) -> Machine:
    """One of those that the primary waits for."""
    name = next(one.name for one in state.members(_primary(cluster)) if one.role == "quorum_standby")
    return next(machine for machine in cluster.layout.machines if machine.name == name)


def _kill(cluster: Cluster, machine: Machine) -> None:
    for one in [one for pid in cluster.pids(machine) for one in processes.family(pid)]:
        processes.send(one, signal.SIGKILL)


def _send(cluster: Cluster, machine: Machine, number: signal.Signals) -> None:
    for pid in cluster.pids(machine):
        for one in processes.family(pid):
            processes.send(one, number)


def _switch(cluster: Cluster, primary: Machine) -> None:
    """To whom, only one can be. Where a candidate is named, the third machine waits two seconds before it follows him."""
    command = cluster.patronictl("switchover", "--leader", primary.name, "--force")
    subprocess.run(command, check=True, capture_output=True, timeout=60)
