"""Command `kiebitz tokens`: scopes, expiry and rotation, and the check of director tokens in `kiebitz doctor`."""

import asyncio
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from click.testing import CliRunner, Result

from api.http.request import Tokens
from deploy.cli.diagnostics import run_checks
from deploy.cli.main import main
from deploy.compose import open_event_store
from deploy.system.clock import now
from domain.access import Grant, OfSeries, OfTable, OfTournament
from domain.journal.sessions import Token
from tests.api.conftest import settings_of


def kiebitz(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def issued(folder: Path, *flags: object) -> Any:
    return kiebitz("tokens", "issue", *flags, "--data", folder / "data")


def tokens(folder: Path) -> list[Token]:
    with open_event_store(settings_of(folder)) as registers:
        return registers.list_tokens()


def said_of_tokens(folder: Path, language: str = "en") -> tuple[str, str]:
    found = dict(run_checks(settings_of(folder), language))["Tokens"]
    return found.state, found.text


def test_a_token_is_bound_to_a_table_from_a_round_on_and_to_a_time(tmp_path: Path):
    place = ("--tournament", "spring", "--table", "3", "--since", "2")
    done = issued(tmp_path, "--role", "recorder", *place, "--sees", "public", "--expires", "2999-01-01")
    assert done.exit_code == 0, done.output
    (token,) = tokens(tmp_path)
    assert (token.grant, token.expires_at) == (Grant(OfTable("spring", "3", 2), "public"), "2999-01-01T00:00:00Z")
    with open_event_store(settings_of(tmp_path)) as registers:
        asked = Tokens(registers, now, used=lambda token: None).principal(f"Bearer {done.stdout.strip()}")
        assert asyncio.run(asked).grant == token.grant


def test_a_token_is_bound_to_a_series(tmp_path: Path):
    done = issued(tmp_path, "--role", "director", "--series", "cup")
    assert (done.exit_code, [token.grant for token in tokens(tmp_path)]) == (0, [Grant(OfSeries("cup"))])


def test_the_list_tells_scope_expiry_and_last_use_in_both_languages(tmp_path: Path):
    issued(tmp_path, "--role", "recorder", "--tournament", "spring", "--table", "3", "--since", "2", "--expires", "2999-01-01")
    with open_event_store(settings_of(tmp_path)) as registers:
        registers.note_uses([(registers.list_tokens()[0].id, "2026-11-21T19:09:00Z")])
    listed = {language: kiebitz("tokens", "list", "--lang", language, "--data", tmp_path / "data").output for language in ("en", "de")}
    for words in (
        ("spring, table 3, from round 2", "expires", "last used"),
        ("spring, Tisch 3, ab Runde 2", "gilt bis", "zuletzt benutzt"),
    ):
        text = " ".join(listed["en" if "expires" in words else "de"].split())
        assert [word for word in (*words, "2999-01-01T00:00:00Z", "2026-11-21T19:09:00Z") if word not in text] == []


@pytest.mark.parametrize(
    ("flags", "says"),
    [
        (("--role", "recorder", "--table", "3"), "A scope is"),
        (("--role", "player"), "The role player needs"),
        (("--role", "viewer", "--seat", "1"), "Only the role player"),
        (("--role", "player", "--tournament", "spring", "--player", "p1"), "There is no tournament spring."),
        (("--role", "recorder", "--game", str(uuid4())), "There is no game"),
        (("--role", "viewer", "--expires", "2020-01-01"), "This time is in the past."),
    ],
)
def test_a_token_that_would_be_good_for_nothing_is_not_issued(tmp_path: Path, flags: tuple[str, ...], says: str):
    done = issued(tmp_path, *flags)
    assert (done.exit_code, says in done.stderr) == (1, True), done.stderr
    assert tokens(tmp_path) == []


def test_rotation_tells_a_new_secret_and_ends_the_old_one(tmp_path: Path):
    issued(tmp_path, "--role", "arbiter", "--tournament", "spring")
    (old,) = tokens(tmp_path)
    done = kiebitz("tokens", "rotate", old.id, "--data", tmp_path / "data")
    assert (done.exit_code, done.stdout.startswith("kb_")) == (0, True), done.output
    ended, new = sorted(tokens(tmp_path), key=lambda one: one.revoked_at is None)
    assert (ended.id, ended.revoked_at is None, new.grant, new.principal) == (old.id, False, Grant(OfTournament("spring")), old.principal)
    again = kiebitz("tokens", "rotate", old.id, "--data", tmp_path / "data")
    assert (again.exit_code, f"Token {old.id} is no longer valid" in again.stderr) == (1, True)
    assert kiebitz("tokens", "rotate", "nonsense", "--data", tmp_path / "data").exit_code == 1


def test_with_a_grace_the_old_token_runs_out(tmp_path: Path):
    issued(tmp_path, "--role", "viewer")
    (old,) = tokens(tmp_path)
    assert kiebitz("tokens", "rotate", old.id, "--grace", "600", "--data", tmp_path / "data").exit_code == 0
    (ending,) = [one for one in tokens(tmp_path) if one.id == old.id]
    assert (ending.revoked_at, ending.expires_at is None) == (None, False)


def test_doctor_says_when_the_last_token_of_a_director_runs_out(tmp_path: Path):
    issued(tmp_path, "--role", "director", "--expires", "2998-01-01")
    issued(tmp_path, "--role", "director", "--expires", "2999-01-01")
    issued(tmp_path, "--role", "director", "--tournament", "spring")
    assert said_of_tokens(tmp_path) == (
        "look",
        "3 valid, 0 revoked or expired; the last one of a director expires at 2999-01-01T00:00:00Z",
    )
    issued(tmp_path, "--role", "director")
    assert said_of_tokens(tmp_path) == ("ok", "4 valid, 0 revoked or expired")


def test_doctor_counts_no_token_that_has_run_out(tmp_path: Path):
    with open_event_store(settings_of(tmp_path)) as registers:
        registers.add_token(Token("t1", "aa", "anna", "director", "", "2020-01-01T00:00:00Z", expires_at="2020-01-02T00:00:00Z"))
    assert said_of_tokens(tmp_path) == ("look", "0 valid, 1 revoked or expired, none of a director")
