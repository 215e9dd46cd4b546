"""Clock: the current time in UTC, and the time zone of this machine by its IANA name."""

from collections.abc import Mapping
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from domain.time_zones import UTC_ZONE, is_time_zone

now = partial(datetime.now, UTC)


_LOCALTIME = Path("/etc/localtime")


def find_machine_zone(environment: Mapping[str, str], localtime: Path = _LOCALTIME) -> str:
    """Return the zone of the variable TZ, else the one to which the machine's local time leads; UTC where neither names one."""
    led = localtime.resolve().as_posix().rpartition("/zoneinfo/")[2] if localtime.is_symlink() else ""
    for name in (environment.get("TZ", "").removeprefix(":"), led):
        if is_time_zone(name):
            return UTC_ZONE if name in _ALSO_UTC else name
    return UTC_ZONE


_ALSO_UTC = ("Etc/UTC", "Etc/UCT", "UCT", "Universal", "Etc/Universal", "Zulu", "Etc/Zulu", "GMT", "Etc/GMT")
