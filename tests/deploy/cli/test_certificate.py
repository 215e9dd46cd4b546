"""`kiebitz certificate`: what a browser that trusts the authority opens, what it does not, and the page that phones fetch it from."""

import shutil
import ssl
import subprocess
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner
from cryptography import x509

from deploy.cli.certificate import AuthorityServer
from deploy.cli.main import main
from deploy.system.certificates import Authority, create_authority, issue_certificate, read_authority

AT = datetime(2026, 11, 28, tzinfo=UTC)


def kiebitz(*arguments: object, code: int = 0) -> str:
    """Run the command in English and return what it prints."""
    result = CliRunner().invoke(main, [*map(str, arguments), "--lang", "en"])
    assert result.exit_code == code, result.output
    return result.output


def handshake(folder: Path, host: str) -> str:
    """Return what a browser says that trusts the folder's authority and opens the host; nothing where it is content."""
    serving, asking = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH), ssl.create_default_context(cafile=folder / "authority.crt")
    serving.load_cert_chain(folder / "hall.crt", folder / "hall.key")
    there, back = ssl.MemoryBIO(), ssl.MemoryBIO()
    sides = (asking.wrap_bio(back, there, server_hostname=host), serving.wrap_bio(there, back, server_side=True))
    for _ in range(3):
        for side in sides:
            try:
                side.do_handshake()
            except ssl.SSLWantReadError:
                pass
            except ssl.SSLCertVerificationError as error:
                return error.verify_message
    return ""


def test_a_browser_that_trusts_the_authority_opens_the_named_hosts_and_no_other(tmp_path: Path):
    kiebitz("certificate", "kiebitz.local", "192.168.8.2", "--folder", tmp_path)
    assert [handshake(tmp_path, host) for host in ("kiebitz.local", "192.168.8.2", "127.0.0.1", "localhost")] == [""] * 4
    assert "not valid for '192.168.8.3'" in handshake(tmp_path, "192.168.8.3")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["authority.crt", "authority.key", "hall.crt", "hall.key"]
    assert [path.stat().st_mode & 0o077 for path in tmp_path.iterdir()] == [0] * 4


@pytest.mark.skipif(not shutil.which("openssl"), reason="openssl is not installed")
def test_it_holds_against_the_letter_of_the_standard(tmp_path: Path):
    kiebitz("certificate", "kiebitz.local", "--folder", tmp_path)
    asked = "openssl verify -x509_strict -purpose sslserver -verify_hostname kiebitz.local -CAfile authority.crt hall.crt"
    told = subprocess.run(asked.split(), cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (told.stdout, told.stderr) == ("hall.crt: OK\n", "")


def test_a_new_address_needs_no_other_authority(tmp_path: Path):
    kiebitz("certificate", "192.168.8.2", "--folder", tmp_path)
    before = (tmp_path / "authority.crt").read_bytes()
    kiebitz("certificate", "10.0.0.7", "--folder", tmp_path)
    assert ((tmp_path / "authority.crt").read_bytes(), handshake(tmp_path, "10.0.0.7")) == (before, "")


def test_the_authority_vouches_for_no_host_of_the_internet(tmp_path: Path):
    kiebitz("certificate", "kiebitz.local", "--folder", tmp_path)
    refused = kiebitz("certificate", "bank.example", "--folder", tmp_path, code=1)
    assert refused.splitlines() == [
        f"Error: The authority in {tmp_path} vouches for local names and private addresses, not for bank.example.",
        "Name another --folder: that makes a new authority, which the phones have to install anew.",
    ]
    stolen = read_authority(tmp_path / "authority.crt", tmp_path / "authority.key")
    chain, key = issue_certificate(stolen, ["bank.example"], datetime.now(UTC))
    (tmp_path / "hall.crt").write_bytes(chain)
    (tmp_path / "hall.key").write_bytes(key)
    assert handshake(tmp_path, "bank.example") == "permitted subtree violation"


def test_a_host_of_ones_own_is_permitted_from_the_first_call_on(tmp_path: Path):
    kiebitz("certificate", "club.example", "--folder", tmp_path)
    assert handshake(tmp_path, "club.example") == ""


@pytest.mark.parametrize(("host", "said"), [("https://x", "https://x is neither a name nor an address."), ("a b", "a b is neither")])
def test_what_is_no_host_is_refused(tmp_path: Path, host: str, said: str):
    assert said in kiebitz("certificate", host, "--folder", tmp_path, code=2)


def test_a_damaged_authority_is_told_and_kept(tmp_path: Path):
    kiebitz("certificate", "kiebitz.local", "--folder", tmp_path)
    (tmp_path / "authority.key").write_bytes(b"no key")
    assert "holds no authority that can be read" in kiebitz("certificate", "kiebitz.local", "--folder", tmp_path, code=1)
    assert (tmp_path / "authority.key").read_bytes() == b"no key"


def test_phones_take_its_length_and_a_clock_that_is_slow():
    chain, _ = issue_certificate(create_authority([], AT), ["kiebitz.local"], AT)
    certificate = x509.load_pem_x509_certificates(chain)[0]
    assert (certificate.not_valid_before_utc, certificate.not_valid_after_utc) == (AT - timedelta(days=1), AT + timedelta(days=390))


@pytest.fixture
def shared() -> Iterator[tuple[Authority, httpx.Client]]:
    authority = create_authority([], AT)
    with AuthorityServer(authority, 0) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        with httpx.Client(base_url=f"http://127.0.0.1:{server.server_port}") as client:
            yield authority, client
        server.shutdown()
        thread.join()


def test_the_page_hands_out_the_certificate_and_nothing_else(shared: tuple[Authority, httpx.Client]):
    authority, client = shared
    fetched = client.get("/authority.crt")
    assert fetched.headers["content-type"] == "application/x-x509-ca-cert"
    assert x509.load_der_x509_certificate(fetched.content) == authority.certificate
    assert [client.get(path).status_code for path in ("/authority.key", "/../hall.key", "/hall.crt")] == [404] * 3


@pytest.mark.parametrize(
    ("language", "title"), [("de-AT,de;q=0.9", "Diesem Saal vertrauen"), ("en", "Trust this hall"), ("", "Trust this hall")]
)
def test_the_page_speaks_the_language_of_the_phone(shared: tuple[Authority, httpx.Client], language: str, title: str):
    authority, client = shared
    page = client.get("/", headers={"Accept-Language": language}).text
    assert (f"<h1>{title}</h1>" in page, authority.fingerprint in page) == (True, True)
