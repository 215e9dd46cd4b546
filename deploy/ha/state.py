"""How a cluster stands, as those say who run it."""

from collections.abc import Sequence

import httpcore
import msgspec
from msgspec import Struct

from deploy.ha.layout import LOOPBACK, Machine

_ANSWER = 2.0  # seconds


class Member(Struct, frozen=True):
    """As Patroni tells of one. ``timeline``: 0 where it does not know."""

    role: str
    state: str = ""
    timeline: int = 0
    name: str = ""


class _Told(Struct, frozen=True):
    members: list[Member]


def primary(machines: Sequence[Machine]) -> Machine | None:
    """Who says of itself, asked as HAProxy asks, that it is the primary."""
    return next((machine for machine in machines if _asked(f"{_rest(machine)}/primary") is not None), None)


def members(machine: Machine) -> list[Member]:
    """What Patroni on this machine says of all; nothing where it does not answer."""
    told = _asked(f"{_rest(machine)}/cluster")
    return msgspec.json.decode(told, type=_Told).members if told else []


def is_whole(machines: Sequence[Machine]) -> bool:
    """All say the same: one leads, the others follow it at once, and nothing is acknowledged without one of these, whichever."""
    views = [sorted(members(machine), key=lambda one: (one.role, one.name)) for machine in machines]
    stand = [("leader", "running"), *[("quorum_standby", "streaming")] * (len(machines) - 1)]
    if any(view != views[0] for view in views):
        return False
    return [(one.role, one.state) for one in views[0]] == stand and len({one.timeline for one in views[0]}) == 1


def is_ready(port: int) -> bool:
    """Whether the service on this machine records and reads."""
    return _asked(f"http://{LOOPBACK}:{port}/health/ready") is not None


def _rest(machine: Machine) -> str:
    return f"http://{machine.address}:{machine.rest}"


def _asked(url: str) -> bytes | None:
    """``None``: no answer, or one that is not 200."""
    limits = dict.fromkeys(("connect", "read", "write", "pool"), _ANSWER)
    try:
        answer = httpcore.request("GET", url, extensions={"timeout": limits})
    except (httpcore.NetworkError, httpcore.TimeoutException, httpcore.ProtocolError):
        return None
    return answer.content if answer.status == 200 else None
