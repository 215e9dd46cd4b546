"""Addresses of this machine in its networks."""

from ipaddress import ip_address

import pytest

from deploy.http.listening_socket import list_network_hosts


@pytest.mark.parametrize("listening", ["127.0.0.1", "localhost", "::1", "127.0.0.2", "169.254.3.4", "fe80::1"])
def test_a_service_that_listens_on_its_machine_alone_is_open_to_no_other(listening: str):
    assert list_network_hosts(listening) == ()


@pytest.mark.parametrize(
    ("listening", "host"),
    [("192.168.8.2", "192.168.8.2"), ("2001:db8::1", "[2001:db8::1]"), ("kiebitz.local", "kiebitz.local")],
)
def test_one_that_listens_at_one_address_is_open_there(listening: str, host: str):
    assert list_network_hosts(listening) == (host,)


@pytest.mark.parametrize("listening", ["0.0.0.0", "::", ""])
def test_one_that_listens_everywhere_is_open_at_every_address_but_those_of_the_machine_alone(listening: str):
    found = [ip_address(host.strip("[]")) for host in list_network_hosts(listening)]
    assert len(set(found)) == len(found)
    assert [one for one in found if one.is_loopback or one.is_link_local or one.is_unspecified] == []
    assert {one.version for one in found} <= {6 if listening == "::" else 4}
