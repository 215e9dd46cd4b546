"""Hosts as the Host header and origins write them."""

import pytest

from api.http.addresses import is_local_host, read_port, strip_default_port


@pytest.mark.parametrize(
    ("host", "scheme", "port"),
    [
        ("hall.example:8000", "http", "8000"),
        ("hall.example", "http", "80"),
        ("hall.example:080", "http", "80"),
        ("hall.example", "https", "443"),
        ("[::1]:8000", "http", "8000"),
        ("[2001:db8::1]", "http", "80"),
        ("", "http", "80"),
        ("hall.example:8000; Domain=example", "http", "80"),
        ("hall.example:", "http", "80"),
        ("user@hall.example:8000", "http", "80"),
    ],
)
def test_the_port_of_a_host_is_read_and_nothing_else(host: str, scheme: str, port: str):
    assert read_port(host, scheme) == port


def test_only_the_port_that_the_scheme_implies_is_stripped():
    assert strip_default_port("Club.Example:443", "https") == strip_default_port("club.example", "https") == "club.example"
    assert strip_default_port("club.example:80", "http") == "club.example"
    assert strip_default_port("club.example:80", "https") == "club.example:80"
    assert strip_default_port("[::1]:80", "http") == "[::1]"
    assert strip_default_port("club.example:8080", "http") == "club.example:8080"


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "127.0.0.1:80", "LOCALHOST:8000", "localhost.", "kiebitz.localhost", "[::1]:443", "0.0.0.0:8000"],
)
def test_an_address_that_means_the_machine_itself_is_loopback(host: str):
    assert is_local_host(host)


@pytest.mark.parametrize(
    "host",
    ["", "hall.test:8000", "192.168.8.2:8000", "localhost.evil.example", "127.0.0.1.example", "[2001:db8::1]", "[::1", "x@[::1]"],
)
def test_another_address_is_none(host: str):
    assert not is_local_host(host)
