"""Connection limits and evictions, counted without a network."""

from ipaddress import ip_network

import pytest

from deploy.config.settings import LOOPBACK, ConnectionLimits
from deploy.http.connections import ConnectionRegistry, ConnectionSlots, last_header_value


class Guest:
    def __init__(self) -> None:
        self.dismissed = False

    def evict(self) -> None:
        self.dismissed = True


def test_the_idle_one_of_longest_standing_makes_room_and_who_is_busy_does_not():
    room, (first, second, third, fourth) = ConnectionSlots(2), [Guest() for _ in range(4)]
    assert room.enter(first)
    assert room.enter(second)
    room.mark(first, busy=True)
    assert room.enter(third)
    assert [guest.dismissed for guest in (first, second, third)] == [False, True, False]
    room.mark(third, busy=True)
    assert not room.enter(fourth)
    room.mark(first, busy=False)
    assert room.enter(fourth)
    assert (first.dismissed, len(room)) == (True, 2)


def test_who_was_dismissed_does_not_come_back_by_what_he_does():
    room, gone, other = ConnectionSlots(1), Guest(), Guest()
    room.enter(gone)
    room.enter(other)
    room.mark(gone, busy=True)
    assert len(room) == 1


def test_the_busy_and_the_idle_are_counted():
    callers, guests = ConnectionRegistry(ConnectionLimits()), [Guest() for _ in range(3)]
    for guest in guests:
        callers.enter(guest, "192.0.2.7")
    callers.mark(guests[0], busy=True)
    assert (callers.busy, callers.idle) == (1, 2)


def test_each_address_has_a_room_and_all_together_have_one():
    callers = ConnectionRegistry(ConnectionLimits(connections=3, per_address=2))
    guests = [Guest() for _ in range(5)]
    for guest, host in zip(guests, ("192.0.2.1", "192.0.2.2", "192.0.2.1", "192.0.2.1", "192.0.2.3"), strict=True):
        assert callers.enter(guest, host)
    # The fourth takes the place of the first, in the whole as in the room of their address; the fifth that of the second.
    assert [guest.dismissed for guest in guests] == [True, True, False, False, False]


def test_what_is_refused_or_leaves_is_not_counted():
    callers = ConnectionRegistry(ConnectionLimits(connections=9, per_address=1))
    busy, refused, later = Guest(), Guest(), Guest()
    callers.enter(busy, "192.0.2.1")
    callers.mark(busy, busy=True)
    assert not callers.enter(refused, "192.0.2.1")
    callers.leave(busy)
    assert callers.enter(later, "192.0.2.1")


@pytest.mark.parametrize(
    ("header", "address"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("10.1.1.1, 192.0.2.1", "192.0.2.1"),  # what a caller wrote himself stands before it
        ("192.0.2.1, 10.0.0.7, 127.0.0.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("10.0.0.7", None),
        ("nonsense", None),
        ("", None),
    ],
)
def test_for_whom_a_trusted_proxy_calls_is_the_last_that_is_no_such_proxy(header: str, address: str | None):
    callers = ConnectionRegistry(ConnectionLimits(trusted=(*LOOPBACK, ip_network("10.0.0.0/24"))))
    assert callers.read_forwarded_address([(b"host", b"here"), (b"x-forwarded-for", header.encode())]) == address


def test_several_headers_are_one_list():
    callers = ConnectionRegistry(ConnectionLimits())
    assert callers.read_forwarded_address([(b"x-forwarded-for", b"192.0.2.1"), (b"x-forwarded-for", b"127.0.0.1")]) == "192.0.2.1"


def test_of_what_proxies_say_one_after_the_other_the_last_word_counts():
    said = [(b"x-forwarded-proto", b"http, https"), (b"x-forwarded-proto", b"http"), (b"host", b"here")]
    assert (last_header_value(said, b"x-forwarded-proto"), last_header_value(said, b"x-forwarded-host")) == (b"http", b"")
