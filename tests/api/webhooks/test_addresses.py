"""To which addresses messages go: looked up and checked when a connection is made, and to exactly what was checked."""

from ipaddress import ip_address, ip_network
from pathlib import Path

import pytest

from api.webhooks.sending.addresses import Address, may_go_to
from tests.api.webhooks.couriers import stepping
from tests.api.webhooks.receiving import HERE, Receiver

CLOSED = (
    "0.0.0.0", "10.1.2.3", "100.64.0.1", "100.100.100.200", "127.0.0.1", "127.255.255.254", "168.63.129.16", "169.254.169.254",
    "172.16.0.1", "172.31.255.255", "192.0.0.8", "192.0.2.1", "192.88.99.1", "192.168.0.1", "198.18.0.1", "198.51.100.1", "203.0.113.1",
    "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255",
    "::", "::1", "::127.0.0.1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254", "64:ff9b::7f00:1", "64:ff9b:1::1",
    "100::1", "2001::1", "2001:db8::1", "2002:7f00:1::1", "fc00::1", "fd00:ec2::254", "fe80::1", "fec0::1", "ff02::1",
)  # fmt: skip
PUBLIC = ("1.1.1.1", "93.184.216.34", "172.32.0.1", "2606:4700:4700::1111", "::ffff:1.1.1.1")


@pytest.mark.parametrize("address", CLOSED)
def test_what_is_not_public_is_closed(address: str):
    assert not may_go_to(ip_address(address), ())


@pytest.mark.parametrize("address", PUBLIC)
def test_what_is_public_is_open_by_https_alone(address: str):
    assert (may_go_to(ip_address(address), ()), may_go_to(ip_address(address), HERE, plain=True)) == (True, False)


def test_the_operator_opens_networks():
    allowed = (ip_network("10.0.0.0/8"), ip_network("fd00::/8"))
    tried = ("10.9.9.9", "::ffff:10.9.9.9", "fd00::1", "11.0.0.1", "127.0.0.1")
    assert [may_go_to(ip_address(one), allowed, plain=True) for one in tried] == [True, True, True, False, False]


class Names:
    """A directory of names that changes: one answer a time, the last for ever."""

    def __init__(self, *answers: str) -> None:
        self._answers = list(answers)

    async def __call__(self, host: str, port: int) -> list[Address]:
        answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        return [ip_address(one) for one in answer.split()]


def named(receiver: Receiver) -> str:
    """Its address by a name that no directory has."""
    return receiver.url.replace("127.0.0.1", "receiver.test")


def test_the_connection_goes_to_the_address_that_was_checked(tmp_path: Path, receiver: Receiver):
    with stepping(tmp_path, named(receiver), 1, Names("127.0.0.1")) as steps:
        assert steps.go() == [0]
        assert receiver.got[0].headers["host"].partition(":")[0] == "receiver.test"


def test_of_several_addresses_only_those_that_are_allowed_are_tried(tmp_path: Path, receiver: Receiver):
    with stepping(tmp_path, named(receiver), 1, Names("10.0.0.1 127.0.0.1")) as steps:
        assert steps.go() == [0]


def test_a_name_that_leads_elsewhere_later_is_refused_then(tmp_path: Path, receiver: Receiver):
    receiver.answers = [(200, {"Connection": "close"})]
    with stepping(tmp_path, named(receiver), 2, Names("127.0.0.1", "169.254.169.254")) as steps:
        steps.go()
        steps.go()
        log = sorted((one.sequence, one.problem, one.detail) for one in steps.log)
        assert log == [(1, None, ""), (2, "address", "169.254.169.254")]
        assert len(receiver.got) == 1


def test_without_https_nothing_goes_to_a_public_address(tmp_path: Path, receiver: Receiver):
    with stepping(tmp_path, named(receiver), 1, Names("1.1.1.1")) as steps:
        steps.go()
        assert [(one.problem, one.detail) for one in steps.log] == [("plain", "1.1.1.1")]


def test_loopback_is_closed_unless_it_is_allowed(tmp_path: Path, receiver: Receiver):
    with stepping(tmp_path, receiver.url, 1, networks=()) as steps:
        steps.go()
        assert [(one.problem, one.detail) for one in steps.log] == [("address", "127.0.0.1")]
        assert receiver.got == []


@pytest.mark.parametrize("spelled", ["2130706433", "0x7f.1", "127.1", "localhost"])
def test_other_spellings_of_loopback_lead_nowhere(tmp_path: Path, receiver: Receiver, spelled: str):
    with stepping(tmp_path, receiver.url.replace("127.0.0.1", spelled), 1, networks=()) as steps:
        steps.go()
        assert [one.problem for one in steps.log] == ["address"]


def test_a_name_that_nobody_knows_is_told_so(tmp_path: Path):
    with stepping(tmp_path, "https://receiver.invalid/", 1) as steps:
        steps.go()
        assert [(one.problem, one.detail) for one in steps.log] == [("name", "receiver.invalid")]


def test_no_proxy_of_the_environment_is_used(tmp_path: Path, receiver: Receiver, monkeypatch: pytest.MonkeyPatch):
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "HTTPS_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    with stepping(tmp_path, receiver.url, 1) as steps:
        assert steps.go() == [0]


def test_who_is_not_who_he_says_gets_nothing(tmp_path: Path, receiver: Receiver):
    with stepping(tmp_path, receiver.url.replace("http:", "https:"), 1) as steps:
        steps.go()
        assert [one.problem for one in steps.log] == ["tls"]
        assert receiver.got == []
