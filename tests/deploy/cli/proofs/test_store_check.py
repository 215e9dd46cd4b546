"""Verification by `kiebitz audit` against what was signed here, and against checkpoints that people kept."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from deploy.cli.diagnostics import run_checks
from deploy.cli.proofs.checkpoint_options import CheckpointOptions
from deploy.cli.proofs.store_check import check_store, in_words
from deploy.log.writer.key_files import log_files
from replay.proof.checkpoints import COSIGNATURE, Signer, digits_of, parse_bits, read_checkpoint, words_of
from tests.deploy.log.writer.logged_store import GAMES, Place
from tests.tampering import LENGTH

ORIGIN = "club.example/log/1"
SIZE = 2 * LENGTH
SOUND = [f"✓ {game} casino: sound, {LENGTH} events" for game in GAMES]
HELD = f"✓ log {ORIGIN}: the store has the {SIZE} entries of log.signed as they were signed"
BEFORE = "    Nothing is promised of what was done before 2026-11-21T20:00:00Z, when the log began."
SUMMARY = "2 of 2 games, 0 of 0 tournaments, 0 of 0 players sound."


def cut(place: Place, after: int) -> None:
    """Of the last game: its stream is that of the newest sequence."""
    place.tamper(f"DELETE FROM events WHERE sequence > {LENGTH + after}")


def test_a_store_that_has_what_was_signed_is_sound(place: Place):
    place.sign()
    told = place.kiebitz("audit", "--all")
    assert (told.exit_code, told.output.splitlines()) == (0, [*SOUND, HELD, BEFORE, SUMMARY])
    alone = place.kiebitz("audit", GAMES[0])
    assert alone.output.splitlines() == [f"✓ log {ORIGIN}: {LENGTH} events stand as signed in log.signed", SOUND[0]]
    assert alone.exit_code == 0


def test_what_is_cut_off_is_named_in_either_language(place: Place):
    place.sign()
    cut(place, 40)
    told = place.kiebitz("audit", "--all")
    assert (told.exit_code, told.output.splitlines()[2:4]) == (
        1,
        [
            f"✗ log {ORIGIN}: the store does not have the {SIZE} entries of log.signed as they were signed; it comes to 100 entries",
            f"    {GAMES[1]}, positions 41 to {LENGTH}: gone",
        ],
    )
    german = place.kiebitz("audit", GAMES[1], lang="de")
    assert (german.exit_code, german.output.splitlines()) == (
        1,
        [
            f"✗ Protokoll {ORIGIN}: nicht so, wie in log.signed unterschrieben",
            f"    {GAMES[1]}, Positionen 41 bis {LENGTH}: fort",
            f"✓ {GAMES[1]} casino: in Ordnung, 40 Ereignisse",
        ],
    )


def test_of_a_game_that_was_removed_it_is_said_that_it_was_there(place: Place):
    place.sign()
    cut(place, 0)
    told = place.kiebitz("audit", GAMES[1])
    assert told.stdout.splitlines() == [f"✗ log {ORIGIN}: not as signed in log.signed", f"    {GAMES[1]}, positions 1 to {LENGTH}: gone"]
    assert (told.exit_code, told.stderr.startswith("Error: There is no game")) == (1, True)


def test_as_json_what_is_held_is_an_object_of_its_own(place: Place):
    place.sign()
    cut(place, 59)
    told = [json.loads(line) for line in place.kiebitz("audit", "--all", "--json").output.splitlines()]
    stream = {"stream": str(GAMES[1]), "way": "gone", "first": LENGTH, "last": LENGTH}
    about = {"kind": "log", "source": "log.signed", "origin": ORIGIN, "size": SIZE, "entries": SIZE - 1}
    assert told[2:] == [about | {"verdict": "divergent", "why": "differs", "differences": [stream]}]


NOTHING = f"? log {ORIGIN}: not checked against signatures: there is no checkpoint of it, neither in log.signed nor in the tree"


def test_a_store_with_a_log_and_without_a_checkpoint_is_not_called_sound(place: Place, tmp_path: Path):
    kept = tmp_path / "kept.txt"
    kept.write_text(place.sign(), encoding="utf-8")
    log_files(place.settings).signed.unlink()
    place.lose_tree()
    cut(place, 40)
    told = place.kiebitz("audit", "--all")
    assert (told.exit_code, told.output.splitlines()[2:]) == (1, [NOTHING, BEFORE, SUMMARY])
    assert place.kiebitz("audit", GAMES[0]).output.splitlines() == [NOTHING, SOUND[0]]
    [*_, held] = place.kiebitz("audit", "--all", "--json").output.splitlines()
    about = {"kind": "log", "source": "log.signed", "origin": ORIGIN, "size": 0, "entries": 0, "differences": []}
    assert json.loads(held) == about | {"verdict": "not_judged", "why": "no_checkpoint"}
    kept_so = place.kiebitz("audit", "--all", "--checkpoint", kept)
    assert (kept_so.exit_code, NOTHING in kept_so.output) == (1, False)


def test_what_somebody_kept_is_something_to_hold_the_store_against(place: Place, tmp_path: Path):
    kept, note = tmp_path / "kept.txt", place.sign()
    kept.write_text(note, encoding="utf-8")
    log_files(place.settings).signed.unlink()
    place.lose_tree()
    assert place.kiebitz("audit", "--all", "--checkpoint", kept).exit_code == 0
    assert place.kiebitz("audit", "--all", "--said", words_of(read_checkpoint(note).root)).exit_code == 0
    assert place.kiebitz("audit", "--all").exit_code == 1


def test_without_the_file_beside_the_key_what_was_published_counts(place: Place):
    place.sign()
    log_files(place.settings).signed.unlink()
    assert HELD.replace("log.signed", "log.db") in place.kiebitz("audit", "--all").output.splitlines()


def damaged_files(note: str) -> Iterator[bytes]:
    """Return damaged contents of ``log.signed``."""
    text = note.partition("\n\n")[0]
    yield from (b"", b"nonsense", b"\xff\xfe", note.replace(f"\n{SIZE}\n", f"\n{SIZE - 1}\n").encode())
    yield f"{text}\n\n{Signer(ORIGIN, bytes(32)).line(text)}".encode()  # signed in the name of this log by the key of another


def test_a_file_beside_the_key_that_is_damaged_or_foreign_is_named_and_stops_nothing_else(place: Place):
    note = place.sign()
    file = log_files(place.settings).signed
    for damaged in damaged_files(note):
        file.write_bytes(damaged)
        told = place.kiebitz("audit", "--all")
        lines = told.output.splitlines()
        assert (told.exit_code, lines[:2], lines[2].startswith(f"✗ {file} cannot be read: ")) == (1, SOUND, True)
        assert lines[3:] == [HELD.replace("log.signed", "log.db"), BEFORE, SUMMARY]
        assert SOUND[0] in place.kiebitz("audit", GAMES[0]).output.splitlines()
    [_, _, unusable, _] = map(json.loads, place.kiebitz("audit", "--all", "--json").output.splitlines())
    assert (unusable["source"], unusable["why"]) == ("log.signed", "unusable")


def test_the_checkpoint_of_another_club_does_not_hide_the_own_one(place: Place):
    place.sign()
    other = Signer("hall.example/log/1", b"\4" * 32)
    text = f"{other.key.name}\n{SIZE}\n{'A' * 43}=\n"
    log_files(place.settings).signed.write_text(f"{text}\n{other.line(text)}", encoding="utf-8")
    cut(place, 40)
    told = place.kiebitz("audit", "--all")
    foreign = "✗ log hall.example/log/1: signed according to log.signed, but unknown to this store"
    assert (told.exit_code, foreign in told.output.splitlines()) == (1, True)
    assert f"    {GAMES[1]}, positions 41 to {LENGTH}: gone" in told.output.splitlines()


FOREIGN = "tamper.test/log/1+00000000+AQAA"
ROWS = {
    "a key that is none": f"INSERT INTO log_keys (key, since) VALUES ('{FOREIGN}', '2026')",
    "the key of another log": f"INSERT INTO log_keys (key, since) VALUES ('{Signer('a.test/log/1', bytes(32)).key}', '2026')",
    "a log": "INSERT INTO log_epochs (number, origin, key, store, began_at) VALUES (2, 'a.test', '+', 'b', 'c')",
    "a fork that says nothing": "INSERT INTO log_entries (epoch, leaf, position, name, state) VALUES (1, 0, 1, 'log.forked/1', '[')",
    "an empty tile": "UPDATE log_tiles SET hashes = substr(hashes, 1, 0)",
    "a published checkpoint that is none": "UPDATE log_head SET note = 'nonsense'",
}


@pytest.mark.parametrize("foreign", ROWS.values(), ids=ROWS)
def test_rows_that_somebody_put_there_stop_no_judgement(place: Place, foreign: str):
    place.sign()
    tamper = place.tamper_tree if "log_tiles" in foreign or "log_head" in foreign else place.tamper
    tamper(foreign)
    for arguments in (["--all"], [GAMES[0]]):
        told = place.kiebitz("audit", *arguments)
        assert (told.stderr, SOUND[0] in told.output.splitlines()) == ("", True)
    assert "Log" in dict(run_checks(place.settings))


def test_games_are_judged_before_a_tree_that_nobody_can_read_is_told(place: Place):
    place.sign()
    place.lose_tree()
    (place.settings.data / "log.db").write_bytes(b"no database" * 1000)
    told = place.kiebitz("audit", "--all")
    assert (told.exit_code, told.stdout.splitlines(), "log.db" in told.stderr) == (1, SOUND, True)


def test_a_row_that_is_no_key_of_this_log_is_named(place: Place):
    place.sign()
    place.tamper(ROWS["a key that is none"])
    told = place.kiebitz("audit", "--all")
    named = f'✗ log_keys has a row that is no key of a log of this store: "{FOREIGN}"'
    assert (told.exit_code, told.output.splitlines()[2:]) == (1, [named, HELD, BEFORE, SUMMARY])


# What somebody kept


def test_a_checkpoint_that_somebody_kept_counts_where_everything_here_was_set_back(place: Place, tmp_path: Path):
    """The store, the tree and the file beside the key: all are those of an earlier moment, and agree."""
    kept = tmp_path / "kept.txt"
    kept.write_text(place.sign(), encoding="utf-8")
    cut(place, 0)
    log_files(place.settings).signed.unlink()
    place.forget_tree()
    place.sign()
    assert place.kiebitz("audit", "--all").exit_code == 0
    told = place.kiebitz("audit", "--all", "--checkpoint", kept)
    assert told.exit_code == 1
    assert (
        f"✗ log {ORIGIN}: the store does not have the {SIZE} entries of {kept} as they were signed; it comes to {LENGTH} entries"
        in told.output
    )


def test_whose_signature_counts_can_be_said(place: Place, tmp_path: Path):
    kept, note = tmp_path / "kept.txt", place.sign()
    witness = Signer("witness.example", b"\3" * 32, COSIGNATURE)
    own = place.kiebitz("log", "keys").output.split()[0]
    kept.write_text(note, encoding="utf-8")
    alone = place.kiebitz("audit", "--all", "--checkpoint", kept, "--key", own, "--key", witness.key)
    assert (alone.exit_code, alone.stderr.splitlines()[0]) == (
        1,
        f"Error: {kept}: witness.example has not signed this checkpoint; download the file again later, or leave out that key",
    )
    kept.write_text(note + witness.line(read_checkpoint(note).text, 1_700_000_000), encoding="utf-8")
    assert place.kiebitz("audit", "--all", "--checkpoint", kept, "--key", own, "--key", witness.key).exit_code == 0
    other = Signer(ORIGIN, b"\4" * 32).key
    refused = place.kiebitz("audit", "--all", "--checkpoint", kept, "--key", other)
    assert (refused.exit_code, refused.stderr.startswith(f"Error: {kept}: none of the given keys")) == (1, True)


def test_a_checkpoint_of_another_log_is_told_as_such(place: Place, tmp_path: Path):
    place.sign()
    other = Signer("hall.example/log/1", b"\4" * 32)
    kept = tmp_path / "kept.txt"
    text = f"hall.example/log/1\n{SIZE}\n{'A' * 43}=\n"
    kept.write_text(f"{text}\n{other.line(text)}", encoding="utf-8")
    told = place.kiebitz("audit", "--all", "--checkpoint", kept, "--key", other.key)
    assert f"✗ log hall.example/log/1: signed according to {kept}, but unknown to this store" in told.output.splitlines()
    assert told.exit_code == 1


@pytest.mark.parametrize("content", [None, b"nonsense", b"\xff\xfe"])
def test_a_file_that_holds_no_checkpoint_is_an_error(place: Place, tmp_path: Path, content: bytes | None):
    place.sign()
    file = tmp_path / "kept.txt"
    if content is not None:
        file.write_bytes(content)
    told = place.kiebitz("audit", "--all", "--checkpoint", file)
    assert (told.exit_code, told.stdout, told.stderr.startswith(f"Error: {file}: ")) == (1, "", True)


# From paper


def test_a_root_and_a_mark_on_paper_are_found_by_words_and_digits(place: Place):
    root = read_checkpoint(place.sign()).root
    mark = place.mark(LENGTH - 1)
    told = place.kiebitz("audit", "--all", "--said", words_of(root).upper(), "--said", digits_of(mark))
    assert told.output.splitlines()[-3:-1] == [
        f'✓ "{words_of(root).upper()}" is the root of the first {SIZE} entries of the log {ORIGIN}',
        f'✓ "{digits_of(mark)}" is the mark of {GAMES[0]}, position {LENGTH}, in the log {ORIGIN}',
    ]
    assert told.exit_code == 0


def test_what_was_written_down_of_events_that_are_gone_is_found_nowhere(place: Place):
    place.sign()
    mark = words_of(place.mark(SIZE - 1))
    assert place.kiebitz("audit", GAMES[1], "--said", mark).exit_code == 0
    log_files(place.settings).signed.unlink()
    cut(place, 59)
    told = place.kiebitz("audit", GAMES[1], "--said", mark, "--json")
    assert (told.exit_code, json.loads(told.output.splitlines()[1])) == (1, {"kind": "said", "said": mark, "found": None})


def test_only_what_is_not_as_it_was_signed_or_said_is_bad(place: Place):
    root, other = (words_of(read_checkpoint(place.sign()).root), words_of(bytes(32)))
    found = check_store(place.settings, CheckpointOptions(said=tuple((text, parse_bits(text) or 0) for text in (root, other))))
    assert found is not None
    assert [*in_words(found, {}, "en")] == [
        (HELD, True),
        (BEFORE, True),
        (f'✓ "{root}" is the root of the first {SIZE} entries of the log {ORIGIN}', True),
        (f'✗ "{other}" is neither a root nor a mark of this store', False),
    ]


@pytest.mark.parametrize(
    ("arguments", "because"),
    [
        (("--said", "zoo zoo"), '"zoo zoo" is neither twelve words of the list nor forty digits.'),
        (("--key", str(Signer("a", bytes(32)).key)), "--key names the required signer of --checkpoint FILE."),
        (("--url", "http://127.0.0.1:1", "--said", "zoo " * 12), "--checkpoint and --said need the store itself"),
    ],
)
def test_a_wrong_call_is_told(tmp_path: Path, arguments: tuple[str, ...], because: str):
    told = Place(tmp_path, "sqlite:///").kiebitz("audit", "--all", *arguments)
    assert (told.exit_code, because in told.stderr) == (2, True)


# A log that was forked


def test_a_fork_is_told_for_ever(place: Place):
    place.sign()
    cut(place, 40)
    place.fork()
    assert place.kiebitz("audit", "--all").exit_code == 1
    place.sign()
    told = place.kiebitz("audit", "--all")
    forked = f"    Forked at 2026-11-21T20:00:00Z from {ORIGIN}, of which {SIZE} entries were signed; the first 100 are the same."
    assert (told.exit_code, told.output.splitlines()[3:5]) == (0, [BEFORE, forked])
