"""Register of shuffle secrets, the same for both databases."""

import pytest

from deploy.stores.opening import OpenedEvents
from domain.journal.registers import Duplicate

SECRET = bytes(range(32))
AT = "2026-11-21T19:04:11Z"


def test_a_secret_is_found_by_what_it_binds(events: OpenedEvents):
    events.keep_secret("c1", SECRET, AT)
    assert [events.find_secret(commitment) for commitment in ("c1", "c2")] == [SECRET, None]


def test_nothing_takes_the_place_of_a_secret(events: OpenedEvents):
    events.keep_secret("c1", SECRET, AT)
    with pytest.raises(Duplicate):
        events.keep_secret("c1", bytes(32), AT)
    assert events.find_secret("c1") == SECRET
