"""`kiebitz audit` holds the store against what was signed, and against what people kept."""

import json
from pathlib import Path

import pytest

from deploy.keeping.keys import log_files
from replay.proof.checkpoints import read_checkpoint
from replay.proof.notes import COSIGNATURE, Signer
from replay.proof.words import digits_of, words_of
from tests.deploy.keeping.place import GAMES, Place
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


def test_before_anything_is_signed_there_is_nothing_to_hold(place: Place):
    told = place.kiebitz("audit", "--all")
    assert told.output.splitlines()[2:] == [f"? log {ORIGIN}: nothing that was signed lies here to hold the store against", BEFORE, SUMMARY]
    assert told.exit_code == 0


def test_without_the_file_beside_the_key_what_was_published_counts(place: Place):
    place.sign()
    log_files(place.settings).signed.unlink()
    assert HELD.replace("log.signed", "log.db") in place.kiebitz("audit", "--all").output.splitlines()


def test_a_file_beside_the_key_that_is_damaged_is_an_error(place: Place):
    note = place.sign()
    file = log_files(place.settings).signed
    for damaged in ("nonsense", note.replace(f"\n{SIZE}\n", f"\n{SIZE - 1}\n")):
        file.write_text(damaged, encoding="utf-8")
        told = place.kiebitz("audit", "--all")
        assert (told.exit_code, told.stderr.startswith(f"Error: {file} cannot be read: ")) == (1, True)


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
        f"Error: {kept}: witness.example has not signed this checkpoint; ask for the file again later, or leave that key out",
    )
    kept.write_text(note + witness.line(read_checkpoint(note).text, 1_700_000_000), encoding="utf-8")
    assert place.kiebitz("audit", "--all", "--checkpoint", kept, "--key", own, "--key", witness.key).exit_code == 0
    other = Signer(ORIGIN, b"\4" * 32).key
    refused = place.kiebitz("audit", "--all", "--checkpoint", kept, "--key", other)
    assert (refused.exit_code, refused.stderr.startswith(f"Error: {kept}: none of the keys")) == (1, True)


def test_a_checkpoint_of_another_log_is_told_as_such(place: Place, tmp_path: Path):
    place.sign()
    other = Signer("hall.example/log/1", b"\4" * 32)
    kept = tmp_path / "kept.txt"
    text = f"hall.example/log/1\n{SIZE}\n{'A' * 43}=\n"
    kept.write_text(f"{text}\n{other.line(text)}", encoding="utf-8")
    told = place.kiebitz("audit", "--all", "--checkpoint", kept, "--key", other.key)
    assert f"✗ log hall.example/log/1: signed, says {kept}, and this store knows nothing of it" in told.output.splitlines()
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


@pytest.mark.parametrize(
    ("arguments", "because"),
    [
        (("--said", "zoo zoo"), '"zoo zoo" is neither twelve words of the list nor forty digits.'),
        (("--key", str(Signer("a", bytes(32)).key)), "--key says who has to have signed --checkpoint FILE."),
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
