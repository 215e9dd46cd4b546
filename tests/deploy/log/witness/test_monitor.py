"""Monitor `kiebitz witness --follow` against a consistent log, and against inconsistent ones."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, get_args
from uuid import UUID

import pytest
from click.testing import CliRunner, Result
from msgspec.structs import replace

from deploy.cli.main import main
from deploy.log.witness import monitor
from domain.texts import LANGUAGES, load_catalog
from replay.proof.checkpoints import Signer, read_checkpoint, words_of
from replay.proof.monitoring import Contradiction
from replay.proof.tiles import bundle
from tests.deploy.log.witness.served_log import TOKEN, ServedLog, entries_of, serving
from tests.replay.proof.made import MOMENT, played
from tests.replay.proof.places import KEYS, LOG, WITNESS

FIRST = played("casino", 30).history
SECOND = [replace(event, stream=UUID(int=2)) for event in FIRST]
MIXED = entries_of(*(event for pair in zip(FIRST, SECOND, strict=True) for event in pair))
HALF = 21
Look = Callable[..., Result]


@pytest.fixture
def log() -> ServedLog:
    return ServedLog(*MIXED[:HALF])


@pytest.fixture
def look(log: ServedLog, tmp_path: Path) -> Iterator[Look]:
    with serving(log) as url:

        def looked(*more: object, token: str | None = TOKEN) -> Result:
            arguments = ["--follow", url, "--log", KEYS[0], "--data", tmp_path / "seen", *more, *(("--token", token) if token else ())]
            return CliRunner().invoke(main, ["witness", *map(str, arguments)])

        looked.url = f"{url}/v1/log"  # pyrefly: ignore[missing-attribute]
        yield looked


def said(look: Look, **more: object) -> Any:
    return json.loads(look("--json", **more).stdout)


def test_a_log_that_goes_on_is_followed_entry_by_entry(log: ServedLog, look: Look):
    first = look()
    root = read_checkpoint(log.checkpoint()).root
    assert first.exit_code == 0
    assert first.stdout.splitlines() == [
        f"✓ {look.url}: the log {LOG.key.name} has {HALF} entries; it was not seen before",  # pyrefly: ignore[missing-attribute]
        f"    root {root.hex()}",
        f"        {words_of(root)}",
        f"    {HALF} entries read, of 2 streams: one event after the other, each once; they make this root",
    ]
    log.add(*MIXED[HALF:])
    again = look("--lang", "de")
    assert again.exit_code == 0
    assert f"und setzt die {HALF} fort, die zuvor gesehen wurden" in again.stdout
    assert f"{len(MIXED)} Einträge gelesen, von 2 Partien, Turnieren und Spielern" in again.stdout
    assert said(look)["before"] == len(MIXED)


def test_a_long_log_is_read_bundle_by_bundle(tmp_path: Path):
    many = entries_of(*(replace(event, stream=UUID(int=game)) for game in range(18) for event in FIRST))
    assert len(many) > 520
    log = ServedLog(*many[:300])
    with serving(log) as url:
        for upto in (511, 512, 513, len(many)):
            found = CliRunner().invoke(
                main, ["witness", *map(str, ("--follow", url, "--log", KEYS[0], "--data", tmp_path, "--token", TOKEN, "--json"))]
            )
            assert json.loads(found.stdout)["read"] == len(log.entries)
            log.add(*many[len(log.entries) : upto])


def test_without_a_token_only_checkpoints_are_held_and_entries_are_read_later(log: ServedLog, look: Look):
    assert said(look, token=None)["read"] == 0
    assert "that needs a token" in look(token=None).stdout
    log.add(*MIXED[HALF:])
    assert said(look, token=None)["before"] == HALF
    assert said(look)["read"] == len(MIXED)
    refused = look(token="another")
    assert (refused.exit_code, "This token may not read the entries" in refused.stdout) == (2, True)


def replaced(at: int, entry: bytes) -> list[bytes]:
    return [*MIXED[:at], entry, *MIXED[at + 1 :]]


FOREIGN = MIXED[HALF][:25] + bytes(32) + MIXED[HALF][57:]
LIES: dict[str, tuple[list[bytes], Contradiction, int | None]] = {
    "one is missing": ([*MIXED[:HALF], *MIXED[HALF + 1 :]], "not_next", HALF + 1),
    "one stands there twice": ([*MIXED[:HALF], MIXED[HALF - 2], *MIXED[HALF:]], "not_next", HALF),
    "one follows another one": (replaced(HALF, FOREIGN), "not_chained", HALF),
    "one is none": (replaced(HALF, b"\2" + MIXED[HALF][1:]), "no_entry", HALF),
    "one is too short": (replaced(HALF, MIXED[HALF][:-1]), "no_entry", HALF),
}


@pytest.mark.parametrize("lie", LIES)
def test_an_entry_that_does_not_follow_is_named_and_nothing_of_it_is_kept(lie: str, log: ServedLog, look: Look):
    told, what, leaf = LIES[lie]
    assert look().exit_code == 0
    log.entries = told
    assert said(look) == {"sound": False, "fault": what, "leaf": leaf}
    assert look().exit_code == 1
    log.entries = list(MIXED)
    assert said(look)["read"] == len(MIXED)


def test_the_first_entry_that_a_bundle_lacks_is_named(log: ServedLog, look: Look, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(log, "bundle", lambda _: bundle(MIXED[: HALF - 1]))
    assert said(look) == {"sound": False, "fault": "no_entry", "leaf": HALF - 1}


def test_entries_that_are_not_those_of_the_tree_are_found(log: ServedLog, look: Look):
    log.told = entries_of(*(event for pair in zip(FIRST, SECOND, strict=True) for event in reversed(pair)))
    assert said(look) == {"sound": False, "fault": "other_root", "leaf": None}
    log.told = MIXED[: HALF - 1]
    assert look().exit_code == 2
    assert "answered with status 404" in look().stdout


def test_another_history_is_found_with_a_token_or_without(log: ServedLog, look: Look, tmp_path: Path):
    assert look().exit_code == 0
    forked = [*entries_of(*FIRST[:15]), *MIXED[HALF:]]
    log.entries = [*forked, *forked]
    assert said(look, token=None)["fault"] == "not_continued"
    log.entries = entries_of(*FIRST)[:HALF]
    assert said(look)["fault"] == "two_roots"
    log.entries = log.entries[: HALF - 1]
    assert said(look)["fault"] == "went_back"
    assert "Both checkpoints are kept" in look().stdout
    assert (tmp_path / "seen" / "monitor.db").stat().st_mode & 0o777 == 0o600


def test_a_witness_who_is_named_has_to_have_signed(log: ServedLog, look: Look, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(monitor, "TRIES", 1)
    missing = look("--witness", WITNESS.key)
    assert (missing.exit_code, missing.stdout.count("has not signed this checkpoint")) == (1, 1)
    log.cosigners = ((WITNESS, MOMENT),)
    assert "    witnessed by witness.example/w1 at 2026-11-22T00:00:00Z" in look("--witness", WITNESS.key).stdout
    assert "is the key of a log, not of a witness" in look("--witness", LOG.key).stderr


def test_another_log_and_another_key_are_not_followed(log: ServedLog, look: Look):
    assert look().exit_code == 0
    other = Signer("kiebitz.example/log/2", b"\1" * 32)
    log.signer = other
    unknown = look()
    assert (unknown.exit_code, "signed for kiebitz.example/log/2" in unknown.stdout) == (
        1,
        True,
    )
    begun = look("--log", other.key)
    assert (begun.exit_code, "The service has begun another log: kiebitz.example/log/2" in begun.stdout) == (1, True)


def test_where_nobody_answers_the_log_cannot_be_read(tmp_path: Path):
    for url in ("http://127.0.0.1:9", "http://127.0.0.1:9/some/log"):
        away = CliRunner().invoke(main, ["witness", "--follow", url, "--log", str(KEYS[0]), "--data", str(tmp_path)])
        assert away.exit_code == 2


def test_where_it_looks_again_and_again_it_ends_when_something_is_wrong(log: ServedLog, look: Look):
    assert look().exit_code == 0
    log.entries = entries_of(*FIRST)[:HALF]
    assert look("--every", 3600).exit_code == 1


def test_a_command_of_before_names_the_new_way():
    for language, words in (("en", "is part of kiebitz witness now"), ("de", "gehört jetzt zu kiebitz witness")):
        gone = CliRunner().invoke(main, ["monitor", "http://127.0.0.1:9", "--key", "any", "--lang", language])
        assert (gone.exit_code, gone.stdout, words in gone.stderr) == (2, "", True)


def test_every_contradiction_has_a_sentence_in_every_language():
    for language in LANGUAGES:
        named = {key.removeprefix("monitor.") for key in load_catalog("deploy")[language] if key.startswith("monitor.")}
        assert named == set(get_args(Contradiction))
