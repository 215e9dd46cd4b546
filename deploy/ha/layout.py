"""What a cluster consists of: machines, ports, passwords."""

import secrets
import socket
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

import msgspec
from msgspec import Struct

from deploy.system.private import private_opener

MACHINES = 3
"""So many that two of them agree when one is lost: fewer do not, and more do not help."""
LOOPBACK = "127.0.0.1"


class Machine(Struct, frozen=True):
    """Carries etcd, Patroni and PostgreSQL. Ports are the usual ones unless several are on one machine in truth.

    ``enter``: what a command begins with that is to run there.
    """

    name: str
    address: str
    peer: int = 2380
    client: int = 2379
    rest: int = 8008
    postgres: int = 5432
    enter: tuple[str, ...] = ()


class Passwords(Struct, frozen=True):
    superuser: str
    replication: str
    rest: str
    kiebitz: str


class Layout(Struct, frozen=True):
    """``proxy`` and ``seen``: ports of HAProxy on loopback, to the primary and for a browser. ``services``: ports of Kiebitz."""

    machines: tuple[Machine, ...]
    passwords: Passwords
    services: tuple[int, ...]
    proxy: int = 6432
    seen: int = 7000

    @property
    def database_url(self) -> str:
        return f"postgresql://kiebitz:{self.passwords.kiebitz}@{LOOPBACK}:{self.proxy}/kiebitz"

    @property
    def superuser_url(self) -> str:
        """Without the password."""
        return f"postgresql://postgres@{LOOPBACK}:{self.proxy}/postgres"


def on_loopback() -> Layout:
    """Three machines that are one, at free ports."""
    *ports, proxy, seen, first, second = free_ports(4 * MACHINES + 4)
    machines = tuple(
        Machine(f"machine-{number + 1}", LOOPBACK, peer, client, rest, postgres)
        for number, (peer, client, rest, postgres) in enumerate(zip(*[iter(ports)] * 4, strict=True))
    )
    return Layout(machines, new_passwords(), (first, second), proxy, seen)


def on_machines(addresses: Sequence[str], services: tuple[int, ...] = (8000, 8000)) -> Layout:
    """Each at its address, with the usual ports."""
    return Layout(tuple(Machine(f"machine-{n}", address) for n, address in enumerate(addresses, 1)), new_passwords(), services)


def new_passwords() -> Passwords:
    return Passwords(*(secrets.token_hex(16) for _ in range(4)))


def kept(folder: Path) -> Layout:
    """That of the folder, made at the first time: a cluster finds its ports and passwords again."""
    file = folder / "layout.json"
    if not file.exists():
        folder.mkdir(parents=True, exist_ok=True)
        with open(file, "wb", opener=private_opener) as new:
            new.write(msgspec.json.format(msgspec.json.encode(on_loopback())))
    return msgspec.json.decode(file.read_bytes(), type=Layout)


def free_ports(number: int) -> list[int]:
    """Held until all are found, so that none is given twice."""
    with ExitStack() as held:
        lines = [held.enter_context(socket.create_server((LOOPBACK, 0))) for _ in range(number)]
        return [line.getsockname()[1] for line in lines]
