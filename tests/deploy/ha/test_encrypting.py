"""What `encrypt.sh` makes of the files of three machines."""

import shutil
import subprocess
from pathlib import Path

import pytest

from deploy.ha import files
from deploy.ha.layout import on_machines

SCRIPT = Path(files.__file__).with_name("encrypt.sh")
ADDRESSES = ["10.0.0.1", "10.0.0.2", "10.0.0.3"]

pytestmark = pytest.mark.skipif(not shutil.which("openssl"), reason="openssl is not installed")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    files.write_for_machines(on_machines(ADDRESSES), tmp_path, Path("/usr/lib/postgresql/15/bin"))
    encrypt(tmp_path)
    return tmp_path


def encrypt(folder: Path) -> None:
    subprocess.run(["sh", str(SCRIPT), str(folder)], check=True)


def openssl(*arguments: str, cwd: Path) -> str:
    return subprocess.run(["openssl", *arguments], cwd=cwd, capture_output=True, text=True, check=True).stdout


def texts(folder: Path) -> dict[str, str]:
    """All but what is made anew each time."""
    found = [*folder.glob("*/*.env"), *folder.glob("*/*.yml"), folder / "haproxy.cfg", folder / "kiebitz.env", folder / "authority.crt"]
    return {str(file.relative_to(folder)): file.read_text() for file in found}


def test_each_machine_is_vouched_for_at_its_own_address_only(folder: Path):
    for number, address in enumerate(ADDRESSES, 1):
        held = ["verify", "-CAfile", "authority.crt", "-verify_ip"]
        certificate = f"machine-{number}/machine.crt"
        assert openssl(*held, address, certificate, cwd=folder) == f"{certificate}: OK\n"
        with pytest.raises(subprocess.CalledProcessError):
            openssl(*held, "10.0.0.9", certificate, cwd=folder)
    assert {file.stat().st_mode & 0o777 for file in folder.rglob("*.key")} == {0o600}


def test_nothing_is_told_in_the_clear(folder: Path):
    told = texts(folder)
    assert not [name for name, text in told.items() if "http://" in text or "- host " in text]
    assert told["machine-2/etcd.env"].count("CLIENT_CERT_AUTH=true") == 2
    assert {"  certfile: /etc/patroni/machine.crt", "  protocol: https", '    ssl: "on"'} <= {*told["machine-2/patroni.yml"].splitlines()}
    assert told["machine-2/patroni.yml"].count("      sslmode: verify-ca\n") == 2
    assert told["haproxy.cfg"].count("check check-ssl verify required") == 3
    assert told["kiebitz.env"].endswith("/kiebitz?sslmode=verify-ca&sslrootcert=/etc/kiebitz/cluster.crt\n")


def test_called_again_it_makes_new_certificates_and_changes_nothing_else(folder: Path):
    before, certificate = texts(folder), (folder / "machine-1" / "machine.crt").read_text()
    encrypt(folder)
    assert texts(folder) == before
    assert (folder / "machine-1" / "machine.crt").read_text() != certificate
