"""Verification by `kiebitz audit` and `kiebitz doctor` against checkpoints that closed rounds name."""

import json

import pytest

from deploy.log.writer.key_files import log_files
from domain.journal.commits import to_stored
from replay.proof.checkpoints import name_checkpoint
from tests.deploy.cli.proofs.test_doctor import told
from tests.deploy.cli.proofs.test_store_check import ORIGIN, SIZE
from tests.deploy.log.writer.logged_store import Place
from tests.replay.test_audit_of_tournaments import a_full_tournament

STANDS = "✓ one round named a checkpoint of the log when it was closed, and the store has it"
OTHERWISE = (
    f"log {ORIGIN}: when round 1 of spring was closed, its event named a root of {SIZE} entries, and the store comes to another one."
    " Earlier records were rewritten since, or the event was"
)
GERMAN = f"✗ Protokoll {ORIGIN}: als Runde 1 von spring abgeschlossen wurde, nannte ihr Ereignis eine Wurzel von {SIZE} Einträgen, und"


@pytest.fixture
def evening(place: Place) -> Place:
    """A tournament that named what was signed before it."""
    place.sign()
    history = a_full_tournament(games=False, named=name_checkpoint(place.signed)).events
    with place.events() as events:
        events.insert_events([to_stored(recorded) for recorded in history])
    place.sign()
    return place


def rewritten(place: Place) -> None:
    """By somebody who has every key: the last move of a game is gone, and all is signed anew."""
    place.tamper("DELETE FROM events WHERE sequence = ?", SIZE)
    log_files(place.settings).signed.unlink()
    place.forget_tree()
    place.sign()


def test_what_was_named_is_there(evening: Place):
    for asked in (("--all",), ("--tournament", "spring")):
        found = evening.kiebitz("audit", *asked)
        assert (found.exit_code, STANDS in found.output.splitlines()) == (0, True), found.output
    assert told(evening.settings)[0] == "ok"
    objects = [json.loads(line) for line in evening.kiebitz("audit", "--all", "--json").output.splitlines()]
    [one] = [one for one in objects if one.get("named")]
    about = {"kind": "log", "source": "round.closed/1", "named": {"tournament": "spring", "round": 1}, "origin": ORIGIN, "size": SIZE}
    assert {name: one[name] for name in (*about, "verdict")} == {**about, "verdict": "sound"}


def test_a_past_that_was_rewritten_and_signed_anew_is_told_in_either_language(evening: Place):
    rewritten(evening)
    for asked in (("--all",), ("--tournament", "spring")):
        found = evening.kiebitz("audit", *asked)
        assert found.exit_code == 1
        assert f"✗ {OTHERWISE}" in found.output.splitlines()
    assert GERMAN in evening.kiebitz("audit", "--all", lang="de").output
    assert told(evening.settings) == ("wrong", OTHERWISE)
