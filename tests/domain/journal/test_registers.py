"""What is neither event nor projection. The same for both databases."""

from datetime import UTC, datetime
from uuid import uuid4

import msgspec
import pytest
from eventsourcing.persistence import IntegrityError

from domain.journal.storage import Commit, Recorder, StoredCommand, Token
from tests.domain.journal.stores import commit, event

GAME = uuid4()
TOKEN = Token("t1", "aa" * 32, "anna", "recorder", "the tablet at table 3", "2026-03-01T10:00:00Z")


def test_a_command_is_remembered_with_the_positions_and_the_sequence_of_its_events(recorder: Recorder):
    recorder.commit_group([commit(uuid4(), 1), commit(GAME, 1), commit(GAME, 2, 3, key="k")])
    command = recorder.find_command("anna", "k")
    assert command is not None
    assert command == StoredCommand("anna", "k", "digest", GAME, 2, 3, 4, command.at)


def test_of_a_command_on_several_games_the_first_counts(recorder: Recorder):
    template = commit(GAME, 1, key="k")
    recorder.commit_group([Commit((event(GAME, 1), event(GAME, 2), event(uuid4(), 1)), template.command)])
    command = recorder.find_command("anna", "k")
    assert command is not None
    assert (command.game, command.first, command.last, command.sequence) == (GAME, 1, 2, 3)


def test_the_time_of_a_command_is_utc_in_rfc_3339(recorder: Recorder):
    before = datetime.now(UTC)
    recorder.commit_group([commit(GAME, 1, key="k")])
    command = recorder.find_command("anna", "k")
    assert command is not None
    assert command.at.endswith("Z")
    assert abs((datetime.fromisoformat(command.at) - before).total_seconds()) < 60


def test_an_unknown_command_is_none(recorder: Recorder):
    assert recorder.find_command("anna", "k") is None


def test_commands_are_forgotten_by_age_and_their_keys_free_again(recorder: Recorder):
    recorder.commit_group([commit(GAME, 1, key="k")])
    assert recorder.forget_commands("2020-01-01T00:00:00Z") == 0
    assert recorder.forget_commands("2999-01-01T00:00:00Z") == 1
    assert recorder.commit_group([commit(GAME, 2, key="k")]) == [(2,)]


def test_a_token_is_found_by_the_hash_of_its_secret(recorder: Recorder):
    recorder.add_token(TOKEN)
    assert (recorder.find_token(TOKEN.hash), recorder.find_token("bb" * 32)) == (TOKEN, None)


@pytest.mark.parametrize("other", [msgspec.structs.replace(TOKEN, id="t2"), msgspec.structs.replace(TOKEN, hash="bb" * 32)])
def test_ids_and_hashes_of_tokens_are_unique(recorder: Recorder, other: Token):
    recorder.add_token(TOKEN)
    with pytest.raises(IntegrityError):
        recorder.add_token(other)
    assert recorder.list_tokens() == [TOKEN]


def test_tokens_are_listed_oldest_first(recorder: Recorder):
    older = Token("t2", "bb" * 32, "berta", "viewer", "", "2026-02-01T10:00:00Z")
    recorder.add_token(TOKEN)
    recorder.add_token(older)
    assert recorder.list_tokens() == [older, TOKEN]


def test_a_revoked_token_keeps_the_time_when_it_was_first_revoked(recorder: Recorder):
    recorder.add_token(TOKEN)
    answers = [recorder.revoke_token(id, at) for id, at in [("t1", "2026-04-01T10:00:00Z"), ("t1", "2026-05-01T10:00:00Z"), ("t9", "")]]
    assert answers == [True, True, False]
    assert recorder.find_token(TOKEN.hash) == msgspec.structs.replace(TOKEN, revoked_at="2026-04-01T10:00:00Z")


def test_a_text_can_be_erased_and_its_id_stays_taken(recorder: Recorder):
    recorder.commit_group([commit(GAME, 1, text="t")])
    assert (recorder.text("t"), recorder.text("u")) == ("words", None)
    assert (recorder.erase_text("t"), recorder.erase_text("t"), recorder.erase_text("u")) == (True, False, False)
    assert recorder.text("t") is None
    assert not isinstance(recorder.commit_group([commit(GAME, 2, text="t")])[0], tuple)


INSERT_TEXT = "INSERT INTO texts (id, body) VALUES (?, ?)"


def test_what_is_derived_is_written_row_by_row(recorder: Recorder):
    recorder.derive(INSERT_TEXT, [("t", "one"), ("u", "two")])
    assert (recorder.text("t"), recorder.text("u")) == ("one", "two")


def test_what_is_derived_is_written_whole_or_not_at_all(recorder: Recorder):
    with pytest.raises(IntegrityError):
        recorder.derive(INSERT_TEXT, [("t", "one"), ("t", "two")])
    assert recorder.text("t") is None
