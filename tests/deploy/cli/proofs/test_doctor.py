"""Log check of `kiebitz doctor`: verification against what was signed, and reasons why signing has stopped."""

import re
from pathlib import Path

from msgspec.structs import replace

from deploy.cli.diagnostics import Finding, run_checks
from deploy.cli.proofs.checkpoint_options import CheckpointOptions
from deploy.config.settings import Settings
from deploy.log.writer.key_files import log_files
from replay.proof.checkpoints import parse_bits, words_of
from tests.deploy.cli.proofs.test_store_check import ORIGIN, SIZE, cut
from tests.deploy.log.writer.logged_store import Place

LATER = "kiebitz log fork begins the next log."


def of_the_log(settings: Settings, asked: CheckpointOptions = CheckpointOptions()) -> Finding:  # noqa: B008 # a value
    return dict(run_checks(settings, "en", asked))["Log"]


def told(settings: Settings, asked: CheckpointOptions = CheckpointOptions()) -> tuple[str, str]:  # noqa: B008 # a value
    found = of_the_log(settings, asked)
    return found.state, found.text


def test_all_that_was_signed_is_there(place: Place):
    place.sign()
    assert told(place.settings) == ("ok", f"{ORIGIN}: {SIZE} signed, all of them are there; 0 not signed yet")


def test_something_of_it_is_otherwise(place: Place):
    place.sign()
    cut(place, 40)
    found = of_the_log(place.settings)
    said = f"log {ORIGIN}: the store does not have the {SIZE} entries of log.signed as they were signed; it comes to 100 entries"
    assert (found.state, found.text, found.advice.startswith("kiebitz audit --all shows")) == ("wrong", said, True)


def test_what_people_kept_counts_as_well(place: Place, tmp_path: Path):
    place.sign()
    words = words_of(bytes(32))
    asked = CheckpointOptions(said=((words, parse_bits(words) or 0),))
    assert told(place.settings, asked) == ("wrong", f'"{words}" is neither a root nor a mark of this store')
    by_the_command = place.kiebitz("doctor", "--said", words)
    assert (by_the_command.exit_code, re.findall(r"(\w+) +Log ", by_the_command.output)) == (1, ["wrong"])


def test_a_log_of_which_no_checkpoint_is_here(place: Place):
    found = of_the_log(place.settings)
    assert (found.state, found.text.startswith(f"log {ORIGIN}: not checked against signatures")) == ("wrong", True)
    assert "--checkpoint FILE" in found.advice


def test_the_store_began_another_epoch(place: Place):
    place.sign()
    with place.events() as events:
        events.begin_epoch(SIZE)
    found = of_the_log(place.settings)
    assert (found.state, found.text) == ("wrong", "nothing is signed: the store has begun another epoch")
    assert found.advice.endswith(LATER)
    place.fork()
    place.sign()
    assert told(place.settings) == ("ok", f"club.example/log/2: {SIZE + 1} signed, all of them are there; 0 not signed yet")


def test_the_key_is_gone_or_another_one_or_read_by_others(place: Place):
    place.sign()
    key = log_files(place.settings).key
    seed = key.read_bytes()
    key.chmod(0o644)
    assert told(place.settings) == ("wrong", f"other accounts can read {key}")
    key.chmod(0o600)
    key.write_text("00" * 32, encoding="utf-8")
    assert told(place.settings) == ("look", f"{key} is not the key of {ORIGIN}: nothing can be signed here")
    key.unlink()
    assert told(place.settings) == ("look", f"the keys of {ORIGIN} are not in {place.settings.data}: nothing can be signed here")
    key.write_bytes(seed)
    key.chmod(0o600)
    assert told(place.settings)[0] == "ok"


def test_where_no_log_is_kept_or_none_was_begun(tmp_path: Path):
    settings = Settings(tmp_path)
    assert told(settings) == ("ok", "none yet; the first start of kiebitz serve begins it")
    assert told(replace(settings, log="off")) == ("ok", "none (KIEBITZ_LOG is off)")


def test_a_log_that_was_switched_off(place: Place):
    place.sign()
    assert told(replace(place.settings, log="off")) == ("look", f"{ORIGIN} was begun, but KIEBITZ_LOG is off: nothing more is signed")
