"""The files of a cluster, filled: what its programs are told, here and on real machines."""

from collections.abc import Mapping
from pathlib import Path
from string import Template

from msgspec import Struct

from deploy.ha.layout import LOOPBACK, Layout, Machine
from deploy.system.private import private_opener

_HERE = Path(__file__).parent


class Places(Struct, frozen=True):
    """Where a machine keeps its things. ``watchdog``: whether Patroni may have the machine reset."""

    etcd_data: Path
    postgres_data: Path
    pgpass: Path
    postgres_programs: Path
    watchdog: bool


def usual_places(postgres_programs: Path) -> Places:
    """Of a machine with Debian's packages."""
    home = Path("/var/lib/postgresql")
    return Places(Path("/var/lib/etcd/kiebitz"), home / "kiebitz", home / "kiebitz.pgpass", postgres_programs, watchdog=True)


def etcd_env(layout: Layout, machine: Machine, places: Places) -> str:
    peers = ",".join(f"{one.name}=http://{one.address}:{one.peer}" for one in layout.machines)
    return _filled("etcd.env", _of(machine) | {"etcd_data": places.etcd_data, "etcd_peers": peers})


def patroni_yml(layout: Layout, machine: Machine, places: Places) -> str:
    clients = ", ".join(f'"{one.address}:{one.client}"' for one in layout.machines)
    return _filled(
        "patroni.yml",
        _of(machine)
        | {
            "etcd_clients": f"[{clients}]",
            "rest_password": layout.passwords.rest,
            "superuser_password": layout.passwords.superuser,
            "replication_password": layout.passwords.replication,
            "postgres_programs": places.postgres_programs,
            "postgres_data": places.postgres_data,
            "pgpass": places.pgpass,
            "watchdog": "automatic" if places.watchdog else '"off"',
        },
    )


def haproxy_cfg(layout: Layout, account: str | None = None) -> str:
    """``account``: whose it becomes, where root starts it."""
    servers = "".join(f"    server {one.name} {one.address}:{one.postgres} check port {one.rest}\n" for one in layout.machines)
    proxy, seen = f"{LOOPBACK}:{layout.proxy}", f"{LOOPBACK}:{layout.seen}"
    taken = f"    user {account}\n    group {account}\n" if account else ""
    return _filled("haproxy.cfg", {"account": taken, "proxy": proxy, "seen": seen, "servers": servers})


def kiebitz_env(layout: Layout) -> str:
    return f"KIEBITZ_DATABASE_URL={layout.database_url}\n"


def patroni_service() -> str:
    return (_HERE / "patroni.service").read_text()


def settings_in(environment: str) -> dict[str, str]:
    """What a file of the kind of ``etcd.env`` sets."""
    lines = (line.partition("=") for line in environment.splitlines() if line and not line.startswith("#"))
    return {name: value for name, _, value in lines}


def write(file: Path, text: str) -> Path:
    """For the owner only: most of them hold passwords."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with open(file, "w", opener=private_opener) as new:
        new.write(text)
    return file


def write_for_machines(layout: Layout, folder: Path, postgres_programs: Path) -> list[Path]:
    """Those of each machine in a folder of its own, and what goes beside the services."""
    places = usual_places(postgres_programs)
    files = [
        write(folder / machine.name / name, text)
        for machine in layout.machines
        for name, text in (
            ("etcd.env", etcd_env(layout, machine, places)),
            ("patroni.yml", patroni_yml(layout, machine, places)),
            ("patroni.service", patroni_service()),
        )
    ]
    return [*files, write(folder / "haproxy.cfg", haproxy_cfg(layout, "haproxy")), write(folder / "kiebitz.env", kiebitz_env(layout))]


def _of(machine: Machine) -> dict[str, object]:
    ports = {"peer": machine.peer, "client": machine.client, "rest": machine.rest, "postgres": machine.postgres}
    return {"name": machine.name, "address": machine.address, **ports}


def _filled(name: str, values: Mapping[str, object]) -> str:
    return Template((_HERE / name).read_text()).substitute(values)
