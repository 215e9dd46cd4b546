"""Register of tokens: rotation in one step, keys of commands, last use, the same for both databases."""

import pytest
from msgspec.structs import replace

from deploy.stores.opening import OpenedEvents
from domain.access import Grant, OfTable
from domain.journal.commits import CommandKey
from domain.journal.registers import Duplicate
from domain.journal.sessions import Token
from tests.deploy.stores.shared import events, journal_url, shared

__all__ = ["events", "journal_url", "shared"]  # fixtures

TEN, ELEVEN = "2026-03-01T10:00:00Z", "2026-03-01T11:00:00Z"
OLD = Token(
    "0000000a", "aa" * 32, "anna", "recorder", "table 3", TEN, None, Grant(OfTable("spring", "3", 2), "public"), "2027-01-01T00:00:00Z"
)
NEW = replace(OLD, id="0000000b", hash="bb" * 32, issued_at=ELEVEN)
KEY = CommandKey("anna", "k", "digest")


def test_a_token_is_found_by_its_id_with_all_that_it_is_bound_to(events: OpenedEvents):
    events.add_token(OLD)
    assert (events.token_of("0000000a"), events.token_of("0000000b")) == (OLD, None)


def test_rotation_adds_the_new_token_and_ends_the_old_one(events: OpenedEvents):
    events.add_token(OLD)
    assert events.rotate_token(OLD, NEW, ELEVEN, ends_at=None)
    assert events.list_tokens() == [replace(OLD, revoked_at=ELEVEN), NEW]


def test_rotation_with_a_grace_lets_the_old_token_run_out(events: OpenedEvents):
    events.add_token(OLD)
    assert events.rotate_token(OLD, NEW, ELEVEN, ends_at="2026-03-01T11:10:00Z")
    assert events.list_tokens() == [replace(OLD, expires_at="2026-03-01T11:10:00Z"), NEW]


@pytest.mark.parametrize("ends_at", [None, "2026-03-01T11:10:00Z"])
def test_a_token_that_was_revoked_is_not_rotated(events: OpenedEvents, ends_at: str | None):
    events.add_token(OLD)
    events.revoke_token(OLD.id, TEN)
    assert not events.rotate_token(OLD, NEW, ELEVEN, ends_at=ends_at, command=KEY)
    assert events.list_tokens() == [replace(OLD, revoked_at=TEN)]
    assert events.find_command("anna", "k") is None


def test_a_rotation_that_cannot_be_kept_leaves_the_old_token_as_it_was(events: OpenedEvents):
    for one in (OLD, NEW):
        events.add_token(one)
    with pytest.raises(Duplicate):
        events.rotate_token(OLD, replace(NEW, hash="cc" * 32), ELEVEN, ends_at=None)
    assert events.list_tokens() == [OLD, NEW]


def test_the_token_that_a_command_made_is_found_under_its_key(events: OpenedEvents):
    events.add_token(OLD, KEY)
    assert events.rotate_token(OLD, NEW, ELEVEN, ends_at=None, command=CommandKey("anna", "l", "other"))
    found = [events.find_command("anna", key) for key in "klm"]
    assert [one and (one.fingerprint, one.first, one.entry_id) for one in found] == [("digest", 0, OLD.id), ("other", 0, NEW.id), None]


def test_of_two_tokens_under_one_key_none_but_the_first_is_kept(events: OpenedEvents):
    events.add_token(OLD, KEY)
    with pytest.raises(Duplicate):
        events.add_token(NEW, KEY)
    assert events.list_tokens() == [OLD]


def test_the_minute_of_the_last_use_never_goes_back(events: OpenedEvents):
    for one in (OLD, NEW):
        events.add_token(one)
    events.note_uses([(OLD.id, ELEVEN), (NEW.id, TEN), ("unknown", TEN)])
    events.note_uses([(OLD.id, TEN), (NEW.id, ELEVEN)])
    assert [one.used_at for one in events.list_tokens()] == [ELEVEN, ELEVEN]
