"""Configuration files of a PostgreSQL cluster, filled in and encrypted; its programs, where installed, start with them."""

import re
import shutil
import stat
import subprocess
import tempfile
from pathlib import Path

import psycopg
import pytest

from tests.faults.ha.cluster import FILES, missing, on_loopback, running

ADDRESSES = ("10.0.0.1", "10.0.0.2", "10.0.0.3")
haproxy = shutil.which("haproxy", path="/usr/sbin:/usr/bin")
with_openssl = pytest.mark.skipif(not shutil.which("openssl"), reason="openssl is not installed")


def sh(script: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    command = ["sh", str(FILES / script), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture
def filled(tmp_path: Path) -> Path:
    folder = tmp_path / "files"
    assert sh("fill.sh", folder, *ADDRESSES).returncode == 0
    return folder


@pytest.fixture
def encrypted(filled: Path) -> Path:
    assert sh("encrypt.sh", filled).returncode == 0
    return filled


def patroni(folder: Path, number: int = 2) -> list[str]:
    """Its lines, without what stands behind them for people."""
    return [line.partition(" #")[0].strip() for line in (folder / f"machine-{number}" / "patroni.yml").read_text().splitlines()]


def texts(folder: Path) -> dict[str, str]:
    """All but what is made anew each time."""
    found = [*folder.glob("*/*.env"), *folder.glob("*/*.yml"), folder / "haproxy.cfg", folder / "kiebitz.env"]
    return {str(file.relative_to(folder)): file.read_text() for file in found}


def openssl(*arguments: str, cwd: Path) -> str:
    return subprocess.run(["openssl", *arguments], cwd=cwd, capture_output=True, text=True, check=True).stdout


def test_no_blank_is_left_and_all_is_for_its_owner(filled: Path):
    files = [file for file in filled.rglob("*") if file.is_file()]
    assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}
    assert [file for file in files if re.search(r"@[\w-]+@", file.read_text())] == []
    assert len(files) == 14


def test_each_machine_is_told_its_own_address_and_those_of_all(filled: Path):
    told = (filled / "machine-2" / "etcd.env").read_text().splitlines()
    assert {
        "ETCD_NAME=machine-2",
        "ETCD_LISTEN_CLIENT_URLS=http://10.0.0.2:2379",
        "ETCD_INITIAL_CLUSTER=machine-1=http://10.0.0.1:2380,machine-2=http://10.0.0.2:2380,machine-3=http://10.0.0.3:2380",
    } <= {*told}
    hosts = 'hosts: ["10.0.0.1:2379", "10.0.0.2:2379", "10.0.0.3:2379"]'
    assert {"name: machine-2", "listen: 10.0.0.2:8008", "listen: 10.0.0.2:5432", hosts} <= {*patroni(filled)}


def test_all_machines_know_the_same_passwords_and_new_files_have_new_ones(filled: Path, tmp_path: Path):
    def passwords(folder: Path, number: int) -> list[str]:
        return [line for line in patroni(folder, number) if line.startswith("password:")]

    assert len({*passwords(filled, 1)}) == 3
    assert passwords(filled, 1) == passwords(filled, 2) == passwords(filled, 3)
    assert sh("fill.sh", tmp_path / "others", *ADDRESSES).returncode == 0
    assert set(passwords(filled, 1)).isdisjoint(passwords(tmp_path / "others", 1))


def test_files_that_are_there_stay_as_they_are(filled: Path):
    before = texts(filled)
    assert sh("fill.sh", filled, *ADDRESSES).returncode != 0
    assert texts(filled) == before
    told = sh("fill.sh", filled, *ADDRESSES[:2])
    assert (told.returncode, "ADDRESS ADDRESS ADDRESS" in told.stderr) == (2, True)


def test_nothing_is_acknowledged_that_does_not_lie_on_two_machines(filled: Path):
    assert {"synchronous_mode: quorum", "synchronous_mode_strict: true", 'synchronous_commit: "on"'} <= {*patroni(filled)}


def test_one_that_is_cut_off_stops_writing_before_another_one_begins(filled: Path):
    seconds = {name: int(value) for name, _, value in (line.partition(": ") for line in patroni(filled)) if value.isdigit()}
    assert seconds["loop_wait"] + 2 * seconds["retry_timeout"] <= seconds["ttl"] == 20


def test_haproxy_asks_patroni_and_ends_the_connections_to_whom_it_gives_up(filled: Path):
    lines = [line.strip() for line in (filled / "haproxy.cfg").read_text().splitlines()]
    assert "option httpchk OPTIONS /primary" in lines
    assert "on-marked-down shutdown-sessions" in next(line for line in lines if line.startswith("default-server"))


@pytest.mark.skipif(not haproxy, reason="HAProxy is not installed")
def test_haproxy_understands_its_file(filled: Path):
    found = subprocess.run([str(haproxy), "-c", "-f", str(filled / "haproxy.cfg")], capture_output=True, text=True, check=False)
    assert (found.returncode, found.stderr) == (0, "")


@with_openssl
def test_each_machine_is_vouched_for_at_its_own_address_only(encrypted: Path):
    for number, address in enumerate(ADDRESSES, 1):
        held = ["verify", "-CAfile", "authority.crt", "-verify_ip"]
        certificate = f"machine-{number}/machine.crt"
        assert openssl(*held, address, certificate, cwd=encrypted) == f"{certificate}: OK\n"
        with pytest.raises(subprocess.CalledProcessError):
            openssl(*held, "10.0.0.9", certificate, cwd=encrypted)
    assert {file.stat().st_mode & 0o777 for file in encrypted.rglob("*.key")} == {0o600}


@with_openssl
def test_nothing_is_told_in_the_clear(encrypted: Path):
    told = texts(encrypted)
    assert not [name for name, text in told.items() if "http://" in text or "- host " in text]
    assert told["machine-2/etcd.env"].count("CLIENT_CERT_AUTH=true") == 2
    assert {"  certfile: /etc/patroni/machine.crt", "  protocol: https", '    ssl: "on"'} <= {*told["machine-2/patroni.yml"].splitlines()}
    assert told["machine-2/patroni.yml"].count("      sslmode: verify-ca\n") == 2
    assert told["haproxy.cfg"].count("check check-ssl verify required") == 3
    assert told["kiebitz.env"].endswith("/kiebitz?sslmode=verify-ca&sslrootcert=/etc/kiebitz/cluster.crt\n")


@with_openssl
def test_encrypted_again_there_are_new_certificates_and_nothing_else_is_changed(encrypted: Path):
    before, certificate = texts(encrypted), (encrypted / "machine-1" / "machine.crt").read_text()
    assert sh("encrypt.sh", encrypted).returncode == 0
    assert texts(encrypted) == before
    assert (encrypted / "machine-1" / "machine.crt").read_text() != certificate


@pytest.mark.skipif(bool(missing()), reason=f"not installed: {', '.join(missing())}")
def test_a_cluster_is_started_by_these_files():
    # Not pytest's own temporary folder: nobody but its user can reach it.
    with tempfile.TemporaryDirectory(prefix="kiebitz-ha-") as folder, running(on_loopback(), Path(folder)) as cluster:
        with psycopg.connect(cluster.database_url) as db:
            assert db.execute("SHOW synchronous_standby_names").fetchone()[0].startswith("ANY 1 (")  # pyrefly: ignore[unsupported-operation]
        assert cluster.is_whole()
