"""The files of a cluster: what each program is told, here and on real machines."""

import shutil
import stat
import subprocess
from pathlib import Path

import pytest

from deploy.ha import files
from deploy.ha.layout import Layout, Machine, Passwords, kept, on_machines

LAYOUT = Layout(
    (Machine("machine-1", "10.0.0.1"), Machine("machine-2", "10.0.0.2"), Machine("machine-3", "10.0.0.3")),
    Passwords("super", "replica", "rest", "kiebitz"),
    (8000, 8000),
)
PLACES = files.usual_places(Path("/usr/lib/postgresql/15/bin"))


def patroni(places: files.Places = PLACES) -> list[str]:
    """Its lines, without what stands behind them for people."""
    return [line.partition(" #")[0].strip() for line in files.patroni_yml(LAYOUT, LAYOUT.machines[1], places).splitlines()]


def seconds(name: str) -> int:
    [found] = [line for line in patroni() if line.startswith(f"{name}:")]
    return int(found.partition(": ")[2])


def test_etcd_is_told_its_own_addresses_and_those_of_all():
    told = files.settings_in(files.etcd_env(LAYOUT, LAYOUT.machines[1], PLACES))
    assert told == {
        "ETCD_NAME": "machine-2",
        "ETCD_DATA_DIR": "/var/lib/etcd/kiebitz",
        "ETCD_LISTEN_PEER_URLS": "http://10.0.0.2:2380",
        "ETCD_INITIAL_ADVERTISE_PEER_URLS": "http://10.0.0.2:2380",
        "ETCD_LISTEN_CLIENT_URLS": "http://10.0.0.2:2379",
        "ETCD_ADVERTISE_CLIENT_URLS": "http://10.0.0.2:2379",
        "ETCD_INITIAL_CLUSTER": "machine-1=http://10.0.0.1:2380,machine-2=http://10.0.0.2:2380,machine-3=http://10.0.0.3:2380",
        "ETCD_INITIAL_CLUSTER_TOKEN": "kiebitz",
        "ETCD_INITIAL_CLUSTER_STATE": "new",
        "ETCD_HEARTBEAT_INTERVAL": "150",
        "ETCD_ELECTION_TIMEOUT": "1500",
        "ETCD_PRE_VOTE": "true",
        "ETCD_AUTO_COMPACTION_RETENTION": "1",
    }


def test_nothing_is_acknowledged_that_does_not_lie_on_two_machines():
    assert {"synchronous_mode: quorum", "synchronous_mode_strict: true", 'synchronous_commit: "on"'} <= {*patroni()}


def test_one_that_is_cut_off_stops_writing_before_another_one_begins():
    assert seconds("loop_wait") + 2 * seconds("retry_timeout") <= seconds("ttl") == 20


def test_patroni_is_told_where_it_is_and_where_etcd_is():
    assert {
        "name: machine-2",
        'hosts: ["10.0.0.1:2379", "10.0.0.2:2379", "10.0.0.3:2379"]',
        "listen: 10.0.0.2:8008",
        "listen: 10.0.0.2:5432",
        "data_dir: /var/lib/postgresql/kiebitz",
        "bin_dir: /usr/lib/postgresql/15/bin",
    } <= {*patroni()}


def test_no_watchdog_resets_the_one_machine_on_which_a_cluster_is_tried(tmp_path: Path):
    assert "mode: automatic" in patroni()
    assert 'mode: "off"' in patroni(files.Places(tmp_path, tmp_path, tmp_path, tmp_path, watchdog=False))


def test_haproxy_asks_patroni_and_ends_the_connections_to_whom_it_gives_up():
    lines = [line.strip() for line in files.haproxy_cfg(LAYOUT).splitlines()]
    assert "option httpchk OPTIONS /primary" in lines
    assert "on-marked-down shutdown-sessions" in next(line for line in lines if line.startswith("default-server"))
    assert [line for line in lines if line.startswith("server ")] == [
        "server machine-1 10.0.0.1:5432 check port 8008",
        "server machine-2 10.0.0.2:5432 check port 8008",
        "server machine-3 10.0.0.3:5432 check port 8008",
    ]


@pytest.mark.skipif(not (haproxy := shutil.which("haproxy", path="/usr/sbin:/usr/bin")), reason="HAProxy is not installed")
def test_haproxy_understands_its_file(tmp_path: Path):
    file = files.write(tmp_path / "haproxy.cfg", files.haproxy_cfg(LAYOUT))
    found = subprocess.run([str(haproxy), "-c", "-f", str(file)], capture_output=True, text=True, check=False)
    assert (found.returncode, found.stderr) == (0, "")


def test_a_cluster_finds_its_ports_and_passwords_again(tmp_path: Path):
    first = kept(tmp_path / "cluster")
    ports = [port for one in first.machines for port in (one.peer, one.client, one.rest, one.postgres)]
    assert len({*ports, *first.services, first.proxy, first.seen}) == 16
    assert kept(tmp_path / "cluster") == first
    assert stat.S_IMODE((tmp_path / "cluster" / "layout.json").stat().st_mode) == 0o600


def test_the_files_of_real_machines_are_for_their_owner_and_know_the_same_passwords(tmp_path: Path):
    written = files.write_for_machines(on_machines(["10.0.0.1", "10.0.0.2", "10.0.0.3"]), tmp_path, PLACES.postgres_programs)
    assert [str(file.relative_to(tmp_path)) for file in written] == [
        *(f"machine-{number}/{name}" for number in (1, 2, 3) for name in ("etcd.env", "patroni.yml", "patroni.service")),
        "haproxy.cfg",
        "kiebitz.env",
    ]
    assert {stat.S_IMODE(file.stat().st_mode) for file in written} == {0o600}
    passwords = [
        [line for line in (tmp_path / f"machine-{number}/patroni.yml").read_text().splitlines() if "password:" in line]
        for number in (1, 2, 3)
    ]
    assert len({*passwords[0]}) == 3
    assert passwords[0] == passwords[1] == passwords[2]
