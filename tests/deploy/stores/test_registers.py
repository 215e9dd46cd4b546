"""Registers, which are neither events nor projections, the same for both databases."""

from datetime import UTC, datetime
from uuid import uuid4

import msgspec
import pytest

from deploy.stores.opening import OpenedEvents
from domain.free_texts import SaltedText
from domain.journal.commits import Commit, StoredCommand, Text
from domain.journal.registers import Duplicate
from domain.journal.sessions import Token
from tests.deploy.stores.shared import events, journal_url, shared
from tests.deploy.stores.stores import commit, event, sql_of

__all__ = ["events", "journal_url", "shared"]  # fixtures

GAME = uuid4()
TOKEN = Token("t1", "aa" * 32, "anna", "recorder", "the tablet at table 3", "2026-03-01T10:00:00Z")


def test_a_command_is_remembered_with_the_positions_and_the_sequence_of_its_events(events: OpenedEvents):
    events.commit_group([commit(uuid4(), 1), commit(GAME, 1), commit(GAME, 2, 3, key="k")])
    command = events.find_command("anna", "k")
    assert command is not None
    assert command == StoredCommand("anna", "k", "digest", GAME, 2, 3, 4, command.at)


def test_of_a_command_on_several_games_the_first_counts(events: OpenedEvents):
    template = commit(GAME, 1, key="k")
    events.commit_group([Commit((event(GAME, 1), event(GAME, 2), event(uuid4(), 1)), template.command)])
    command = events.find_command("anna", "k")
    assert command is not None
    assert (command.game, command.first, command.last, command.sequence) == (GAME, 1, 2, 3)


def test_the_time_of_a_command_is_utc_in_rfc_3339(events: OpenedEvents):
    before = datetime.now(UTC)
    events.commit_group([commit(GAME, 1, key="k")])
    command = events.find_command("anna", "k")
    assert command is not None
    assert command.at.endswith("Z")
    assert abs((datetime.fromisoformat(command.at) - before).total_seconds()) < 60


def test_an_unknown_command_is_none(events: OpenedEvents):
    assert events.find_command("anna", "k") is None


def test_commands_are_forgotten_by_age_and_their_keys_free_again(events: OpenedEvents):
    events.commit_group([commit(GAME, 1, key="k")])
    assert events.forget_commands("2020-01-01T00:00:00Z") == 0
    assert events.forget_commands("2999-01-01T00:00:00Z") == 1
    assert events.commit_group([commit(GAME, 2, key="k")]) == [(2,)]


def test_a_token_is_found_by_the_hash_of_its_secret(events: OpenedEvents):
    events.add_token(TOKEN)
    assert (events.find_token(TOKEN.hash), events.find_token("bb" * 32)) == (TOKEN, None)


@pytest.mark.parametrize("other", [msgspec.structs.replace(TOKEN, id="t2"), msgspec.structs.replace(TOKEN, hash="bb" * 32)])
def test_ids_and_hashes_of_tokens_are_unique(events: OpenedEvents, other: Token):
    events.add_token(TOKEN)
    with pytest.raises(Duplicate):
        events.add_token(other)
    assert events.list_tokens() == [TOKEN]


def test_tokens_are_listed_oldest_first(events: OpenedEvents):
    older = Token("t2", "bb" * 32, "berta", "viewer", "", "2026-02-01T10:00:00Z")
    events.add_token(TOKEN)
    events.add_token(older)
    assert events.list_tokens() == [older, TOKEN]


def test_a_revoked_token_keeps_the_time_when_it_was_first_revoked(events: OpenedEvents):
    events.add_token(TOKEN)
    answers = [events.revoke_token(id, at) for id, at in [("t1", "2026-04-01T10:00:00Z"), ("t1", "2026-05-01T10:00:00Z"), ("t9", "")]]
    assert answers == [True, True, False]
    assert events.find_token(TOKEN.hash) == msgspec.structs.replace(TOKEN, revoked_at="2026-04-01T10:00:00Z")


def test_a_text_can_be_erased_and_its_id_stays_taken(events: OpenedEvents):
    events.commit_group([commit(GAME, 1, text="t")])
    assert (events.text("t"), events.text("u")) == ("words", None)
    assert [events.erase_text(id, GAME, 1) for id in ("t", "t", "u")] == [True, False, False]
    assert events.text("t") is None
    assert not isinstance(events.commit_group([commit(GAME, 2, text="t")])[0], tuple)


def test_a_text_is_kept_with_its_salt_and_both_go_together(events: OpenedEvents):
    salted, bare = Text("t", "words", bytes(range(16))), Text("u", "words")
    events.commit_group([Commit((event(GAME, 1),), None, (salted, bare))])
    assert [events.find_text(id) for id in "tuv"] == [SaltedText("words", salted.salt), SaltedText("words", None), None]
    assert events.erase_text("t", GAME, 1)
    assert [events.find_text(id) for id in "tu"] == [None, SaltedText("words", None)]
    assert sql_of(events).query("SELECT id, salt FROM texts ORDER BY id") == [("t", None), ("u", None)]


def test_with_a_text_goes_the_fingerprint_of_the_command_that_brought_it_and_of_no_other(events: OpenedEvents):
    commits = [commit(GAME, 1, key="before"), commit(GAME, 2, 3, key="its", text="t"), commit(GAME, 4, key="after")]
    events.commit_group([*commits, commit(uuid4(), 1, 2, 3, key="elsewhere")])
    events.erase_text("t", GAME, 3)
    found = [events.find_command("anna", key) for key in ("before", "its", "after", "elsewhere")]
    assert [one and one.fingerprint for one in found] == ["digest", "", "digest", "digest"]
    assert not isinstance(events.commit_group([commit(GAME, 5, key="its")])[0], tuple)


INSERT_TEXT = "INSERT INTO texts (id, body) VALUES (?, ?)"


def test_what_is_derived_is_written_row_by_row(events: OpenedEvents):
    events.derive(INSERT_TEXT, [("t", "one"), ("u", "two")])
    assert (events.text("t"), events.text("u")) == ("one", "two")


def test_what_is_derived_is_written_whole_or_not_at_all(events: OpenedEvents):
    with pytest.raises(Duplicate):
        events.derive(INSERT_TEXT, [("t", "one"), ("t", "two")])
    assert events.text("t") is None
