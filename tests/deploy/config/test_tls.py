"""HTTPS with `kiebitz serve`, without a proxy."""

import re
import shutil
import ssl
import subprocess
from pathlib import Path

import httpx
import pytest

from deploy.config.failures import Failure
from deploy.config.key_files import tls_context
from deploy.config.settings import read_settings
from tests.deploy.serving import PATIENCE, run, served

pytestmark = pytest.mark.skipif(shutil.which("openssl") is None, reason="there is no openssl")


def openssl(folder: Path, words: str) -> None:
    subprocess.run(["openssl", *words.split()], cwd=folder, check=True, capture_output=True)


def pair(folder: Path, name: str) -> tuple[Path, Path]:
    """A certificate that signs itself, and its key."""
    made = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2"
    openssl(folder, f"{made} -subj /CN={name} -addext subjectAltName=DNS:localhost,IP:127.0.0.1 -keyout {name}.key -out {name}.crt")
    return folder / f"{name}.crt", folder / f"{name}.key"


def test_with_a_certificate_it_speaks_https_and_its_cookie_is_for_https_alone(tmp_path: Path):
    cert, key = pair(tmp_path, "hall")
    with served("--data", tmp_path / "data", "--tls-cert", cert, "--tls-key", key) as server:
        assert server.url.startswith("https://127.0.0.1:")
        assert f"{server.url}/in#" in server.greeting
        trusted = ssl.create_default_context(cafile=str(cert))
        answer = httpx.post(
            f"{server.url}/in", json={"secret": server.token}, headers={"Origin": server.url}, verify=trusted, timeout=PATIENCE
        )
        assert (answer.status_code, answer.headers["set-cookie"].partition("=")[0]) == (200, "__Host-kiebitz")
        assert "; Secure" in answer.headers["set-cookie"]
        assert answer.headers.get_list("strict-transport-security") == ["max-age=86400"]
        with pytest.raises(httpx.HTTPError):
            httpx.get(server.url.replace("https", "http"), timeout=PATIENCE)


def test_certificate_and_public_address_may_be_named_in_the_environment(tmp_path: Path):
    cert, key = pair(tmp_path, "hall")
    given = {"KIEBITZ_TLS_CERT": str(cert), "KIEBITZ_TLS_KEY": str(key), "KIEBITZ_PUBLIC_URL": "https://hall.test"}
    with served("--data", tmp_path / "data", **given) as server:
        assert server.url.startswith("https://127.0.0.1")
        assert re.search(r"^  https://hall\.test/in#\w{8}$", server.greeting, re.MULTILINE)
        assert "Phones open https://hall.test/in\n" in server.greeting


def test_without_one_it_speaks_http(tmp_path: Path):
    assert tls_context(read_settings({"KIEBITZ_DATA": str(tmp_path)})) is None


@pytest.mark.parametrize("given", ["tls_cert", "tls_key"])
def test_one_of_the_two_alone_is_refused(given: str):
    with pytest.raises(Failure, match="--tls-cert and --tls-key"):
        read_settings({}, **{given: "hall.pem"})


def failure(cert: Path, key: Path) -> str:
    with pytest.raises(Failure) as refused:
        tls_context(read_settings({}, tls_cert=cert, tls_key=key))
    return refused.value.in_words("en")


def test_a_file_that_is_not_there_is_named(tmp_path: Path):
    cert, key = pair(tmp_path, "hall")
    assert str(tmp_path / "gone.crt") in failure(tmp_path / "gone.crt", key)
    assert str(tmp_path / "gone.key") in failure(cert, tmp_path / "gone.key")


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path):
    cert, _ = pair(tmp_path, "hall")
    assert f"{tmp_path}: " in failure(cert, tmp_path)


def test_a_key_of_another_certificate_is_refused(tmp_path: Path):
    (cert, _), (_, other) = pair(tmp_path, "hall"), pair(tmp_path, "other")
    assert f"The key {other} does not belong to the certificate {cert}" in failure(cert, other)


def test_files_that_hold_something_else_are_refused(tmp_path: Path):
    cert, key = pair(tmp_path, "hall")
    assert "PEM" in failure(key, cert)


def test_a_key_with_a_password_is_refused_for_nobody_can_type_it(tmp_path: Path):
    cert, _ = pair(tmp_path, "hall")
    openssl(tmp_path, "ec -aes256 -passout pass:secret -in hall.key -out locked.key")
    assert "has a password" in failure(cert, tmp_path / "locked.key")


def test_serve_says_what_is_wrong_before_it_touches_anything(tmp_path: Path):
    (cert, _), (_, other) = pair(tmp_path, "hall"), pair(tmp_path, "other")
    said = run("serve", "--port", 0, "--data", tmp_path / "data", "--tls-cert", cert, "--tls-key", other)
    assert (said.returncode, "does not belong" in said.stderr, (tmp_path / "data").exists()) == (1, True, False)
