"""Command `kiebitz verify`: its findings in both languages, and its exit codes."""

import json
from pathlib import Path
from typing import get_args

import pytest
from click.testing import CliRunner, Result
from msgspec.json import decode
from msgspec.structs import replace

from deploy.cli.main import main
from domain.texts import LANGUAGES, load_catalog
from replay.proof import single_file
from replay.proof.checkpoints import Fault, digits_of, read_checkpoint, sign, words_of
from replay.proof.making import ProofFile
from tests.replay.proof.made import Log, played, record, view
from tests.replay.proof.places import FILES, KEYS, LOG, TOLD
from tests.replay.proof.test_alone_decks import OTHERWISE, fair

GAME, LOGGED = played("casino"), Log()
HALF = LOGGED.add(*GAME.history[:20])
WHOLE = LOGGED.add(*GAME.history[20:])


def verify(*arguments: object, keys: object = KEYS[:2]) -> Result:
    named = [part for key in keys for part in ("--key", str(key))]  # pyrefly: ignore[not-iterable]
    return CliRunner().invoke(main, ["verify", *map(str, arguments), *named])


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """A view of the first twenty events, and the record."""
    told, opened = tmp_path / "mine.json", tmp_path / "record.json"
    told.write_bytes(view(LOGGED, GAME, 0, HALF, 20).as_bytes())
    opened.write_bytes(record(LOGGED, GAME.history, WHOLE, WHOLE + 1).as_bytes())
    return told, opened


def test_a_view_and_the_record_are_verified_and_compared(files: tuple[Path, Path]):
    told, opened = files
    said = verify(told, opened)
    origin, size, stream = LOG.key.name, LOGGED.size, GAME.history[0].stream
    assert said.exit_code == 0
    in_the_log = f"in the log {origin} of {size} entries"
    assert said.stdout.splitlines() == [
        f"{told}: proven. seat:0 of {stream}, positions 1 to 20, {in_the_log}; mark {LOGGED.mark_at(HALF).hex()}",
        "    no witness was named: whether the log shows the same to everybody was not checked",
        f"{opened}: proven. full of {stream}, positions 1 to {len(GAME.history)}, {in_the_log}; mark {LOGGED.mark_at(WHOLE).hex()}",
        "    no witness was named: whether the log shows the same to everybody was not checked",
        f"    it stood there already when the log had {size} entries",
        f"    ✓ {stream} casino: sound, {len(GAME.history)} events",
        f"{told}, {opened}: up to position 20 both are of the same record",
        single_file.SAYS["en"]["limits"],
    ]


def test_as_json_it_is_one_object_a_line(files: tuple[Path, Path]):
    told, opened = files
    said = verify(told, opened, "--json")
    about = {
        "proven": True,
        "stream": str(GAME.history[0].stream),
        "first": 1,
        "origin": LOG.key.name,
        "size": LOGGED.size,
        "witnessed": [],
    }
    mine = {"file": str(told), "view": "seat:0", "last": 20, "mark": LOGGED.mark_at(HALF).hex(), "earlier": None, "rules": None}
    whole = {"file": str(opened), "view": "full", "last": len(GAME.history), "mark": LOGGED.mark_at(WHOLE).hex(), "rules": "sound"}
    assert [json.loads(line) for line in said.stdout.splitlines()] == [
        about | mine,
        about | whole | {"earlier": {"size": LOGGED.size, "stood": True}},
        {"view": str(told), "record": str(opened), "last": 20, "differences": []},
    ]


def test_mark_and_root_are_shown_as_people_compare_them(files: tuple[Path, Path]):
    told, _ = files
    mark, root = LOGGED.mark_at(HALF), read_checkpoint(LOGGED.checkpoint()).root
    said = verify(told, "--words")
    assert said.stdout.splitlines()[1:7] == [
        "    the mark, to compare:",
        f"        {words_of(mark)}",
        f"        {digits_of(mark)}",
        "    the root of the log, to compare:",
        f"        {words_of(root)}",
        f"        {digits_of(root)}",
    ]


def test_what_stands_on_paper_is_found_or_not(files: tuple[Path, Path]):
    told, opened = files
    mark, root = LOGGED.mark_at(HALF), read_checkpoint(LOGGED.checkpoint()).root
    same = verify(told, opened, "--paper", words_of(mark).upper(), "--paper", digits_of(root))
    assert same.exit_code == 0
    assert same.stdout.splitlines()[-3:-1] == [
        f"{told}: this is the mark that stands on paper: what comes up to position 20 is the same",
        f"{told}: this is the root that stands on paper: the log with {LOGGED.size} entries is the same",
    ]
    other = verify(told, "--paper", "zoo " * 12, "--lang", "de")
    assert (other.exit_code, "steht etwas anderes, oder es wurde falsch abgeschrieben" in other.stdout) == (1, True)
    as_json = verify(told, "--json", "--paper", digits_of(mark))
    assert json.loads(as_json.stdout.splitlines()[-1]) == {"paper": digits_of(mark), "is": "mark", "file": str(told), "upto": 20}


def test_a_lie_in_a_view_is_shown_beside_the_truth(files: tuple[Path, Path]):
    told, opened = files
    honest = view(LOGGED, GAME, 0, HALF, 20)
    lie = replace(honest.events[1], bytes=honest.events[1].bytes.replace('"?"', '"AS"', 1))
    told.write_bytes(
        replace(honest, events=(honest.events[0], lie, *honest.events[2:])).add_receipt(LOG.key.name, TOLD, bytes(16)).as_bytes()
    )
    said = verify(told, opened)
    assert said.exit_code == 1
    assert said.stdout.splitlines()[-5:-1] == [
        f"{told}, {opened}: up to position 20 both are of the same record",
        "    position 2: the view showed something other than the record",
        f"        shown and signed: {lie.bytes}",
        f"        expected: {honest.events[1].bytes}",
    ]
    [*_, found] = verify(told, opened, "--json").stdout.splitlines()
    assert json.loads(found)["differences"] == [{"position": 2, "told": lie.bytes, "due": honest.events[1].bytes}]


def test_a_view_is_held_against_a_later_one_of_its_game(files: tuple[Path, Path], tmp_path: Path):
    early, later = files[0], tmp_path / "later.json"
    later.write_bytes(view(LOGGED, GAME, "public", WHOLE).as_bytes())
    said = verify(later, early)
    assert (said.exit_code, said.stdout.splitlines()[-2]) == (0, f"{early}, {later}: up to position 20 both are of the same record")


def test_views_of_two_records_under_one_id_are_no_views_of_one_game(files: tuple[Path, Path], tmp_path: Path):
    """As from a service that rewrote the game, and signed anew."""
    early, later = files[0], tmp_path / "later.json"
    other, rewritten = played("casino", seed="rewritten"), Log()
    later.write_bytes(view(rewritten, other, "public", rewritten.add(*other.history)).as_bytes())
    said = verify(early, later)
    assert (said.exit_code, said.stdout.splitlines()[-2]) == (
        1,
        f"{early}, {later}: NOT THE SAME RECORD. Up to position 20 the second has another one, or not all of it.",
    )


def test_what_proves_nothing_is_said_in_the_language_of_the_caller(files: tuple[Path, Path]):
    told, _ = files
    told.write_bytes(told.read_bytes().replace(b"p_arbiter", b"p_nobody_", 1))
    assert (verify(told).exit_code, verify(told).stdout.splitlines()[0]) == (
        1,
        f"{told}: NOT PROVEN. The receipt is of something else.",
    )
    assert verify(told, "--lang", "de").stdout.splitlines()[0] == f"{told}: NICHT BEWIESEN. Die Quittung gehört zu etwas anderem."
    assert json.loads(verify(told, "--json").stdout) == {"file": str(told), "proven": False, "fault": "not_as_told", "where": ""}


def test_keys_may_stand_in_a_file(files: tuple[Path, Path], tmp_path: Path):
    keys = tmp_path / "keys.txt"
    keys.write_text("# of the club\n" + "\n".join(map(str, KEYS[:2])) + "\n", encoding="utf-8")
    assert verify(files[0], keys=[keys]).exit_code == 0


@pytest.mark.parametrize("key", ["nobody", "kiebitz.example/log/1+1d7eb2ad+AYqI"])
def test_what_is_no_key_is_a_wrong_call(files: tuple[Path, Path], key: str):
    said = verify(files[0], keys=[key])
    assert said.exit_code == 2
    assert f'"{key}" is not a verifier key' in said.stderr


def test_a_file_that_cannot_be_read_does_not_hide_the_others(files: tuple[Path, Path], tmp_path: Path):
    said = verify(tmp_path / "away.json", files[0])
    assert said.exit_code == 2
    assert [line.split(": ")[1][:12] for line in said.stdout.splitlines()[:2]] == ["NOT PROVEN. ", "proven. seat"]


def test_the_worked_examples_are_verified_with_their_witness(tmp_path: Path):
    for name, data in FILES.items():
        (tmp_path / name).write_bytes(data)
    said = verify(tmp_path / "full", keys=KEYS)
    assert said.exit_code == 0
    assert said.stdout.splitlines()[1] == "    witnessed by witness.example/w1 at 2026-11-22T00:00:00Z"
    about = json.loads(verify(tmp_path / "full", "--json", keys=KEYS).stdout)
    assert (about["earlier"], about["rules"]) == ({"size": 3, "stood": False}, None)


def test_what_was_shuffled_otherwise_than_it_was_dealt_is_refused(tmp_path: Path):
    game, file = fair(), tmp_path / "record.json"
    events = [OTHERWISE["another secret"](recorded.event) for recorded in game.history]
    game.history.clear()
    game.add(*events)
    log = Log()
    file.write_bytes(record(log, game.history, log.add(*game.history)).as_bytes())
    said = verify(file)
    assert (said.exit_code, "is proven, but what was given for the deck" in said.stdout) == (1, True)


def test_a_view_and_something_that_is_no_record_of_its_game_cannot_be_compared(files: tuple[Path, Path]):
    told, _ = files
    edition = decode(told.read_bytes(), type=ProofFile)
    later = replace(edition, edition=2)
    told.write_bytes(replace(later, receipt=sign(later.receipt_text(LOG.key.name, bytes(16)), TOLD)).as_bytes())
    said = verify(*files)
    assert (said.exit_code, "cannot be compared" in said.stdout.splitlines()[-2]) == (1, True)


def test_every_fault_has_a_sentence_in_every_language():
    for language in LANGUAGES:
        named = {key.removeprefix("verify.") for key in load_catalog("deploy")[language] if key.startswith("verify.")}
        assert named == set(get_args(Fault))
