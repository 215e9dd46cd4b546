"""Verification against checkpoints that closed rounds name: a rewritten and re-signed history lacks them."""

from collections.abc import Callable
from typing import Any

import pytest

from deploy.log.writer.verification import (
    CheckResult,
    ClosedRound,
    TrustedCheckpoint,
    Why,
    list_named_checkpoints,
    verify_by_tree,
    verify_store,
)
from domain.events.tournament import RoundClosed
from domain.journal.commits import to_stored
from replay.audit_result import Verdict
from replay.proof.checkpoints import Checkpoint, name_checkpoint, read_checkpoint
from tests.deploy.log.writer.conftest import EMBEDDED, House, Steps
from tests.deploy.log.writer.tamperings import TAMPERINGS, A, B, Hand
from tests.replay.evenings import STREAM
from tests.replay.test_audit_of_tournaments import a_full_tournament
from tests.tampering import LENGTH, a_game, changed, rows_of

ROUND = ClosedRound("spring", 1)


def newest(house: House) -> Checkpoint:
    return read_checkpoint(house.file.note() or "")


@pytest.fixture
def evening(house: House, caught_up: Steps) -> Checkpoint:
    """A game, signed; then a tournament whose first closing names that checkpoint, another game, and all signed. Answers what is named."""
    house.begin()
    house.events.insert_events([to_stored(recorded) for recorded in a_game()])
    caught_up(house.keeper())
    first = newest(house)
    for history in (a_full_tournament(games=False, named=name_checkpoint(first)).events, a_game(game=B)):
        house.events.insert_events([to_stored(recorded) for recorded in history])
    house.now += 1
    caught_up(house.keeper())
    assert first.size == LENGTH < newest(house).size
    return first


def held(house: House) -> dict[str, tuple[Verdict, Why]]:
    found = verify_store(house.events, house.tree, [TrustedCheckpoint("log.signed", newest(house)), *list_named_checkpoints(house.events)])
    return {one.source: (one.verdict, one.why) for one in found}


def by_tree(house: House) -> list[CheckResult | None]:
    return [verify_by_tree(house.events, house.tree, one) for one in list_named_checkpoints(house.events, [A, STREAM])]


def test_a_store_has_what_its_rounds_named(house: House, evening: Checkpoint):
    assert (
        list(list_named_checkpoints(house.events))
        == list(list_named_checkpoints(house.events, [STREAM]))
        == [TrustedCheckpoint("round.closed/1", evening, ROUND)]
    )
    assert list(list_named_checkpoints(house.events, [A])) == []
    assert held(house) == {"log.signed": ("sound", "as_signed"), "round.closed/1": ("sound", "as_signed")}
    assert by_tree(house) == [CheckResult("round.closed/1", evening.origin, evening.size, "sound", "as_signed", named=ROUND)]


@pytest.mark.parametrize(
    "tampering", ["another game by the rules", "the last event cut off", "a whole game removed", "the time of the last event"]
)
@EMBEDDED
def test_a_past_that_was_rewritten_and_signed_anew_is_found(house: House, evening: Checkpoint, caught_up: Steps, tampering: str):
    """With every key: the tree and what was signed last are those of another past, and agree with it."""
    TAMPERINGS[tampering].do(Hand(house))
    (house.folder / "log.signed").unlink()
    house.tree.begin(1)
    house.open_again()
    house.now += 1
    caught_up(house.keeper())
    assert held(house) == {"log.signed": ("sound", "as_signed"), "round.closed/1": ("divergent", "no_tree")}
    assert [one and one.verdict for one in by_tree(house)] == ["divergent"]


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda told: told.update(root="nonsense"), "no_tree"),
        (lambda told: told.update(size=10**15), "no_tree"),
        (lambda told: told.update(size=-1), "no_tree"),
        (lambda told: told.update(origin="elsewhere.example/log/1"), "unknown_log"),
    ],
    ids=["a root that is none", "a size that no log has", "a negative size", "another log"],
)
@EMBEDDED
def test_an_event_that_names_something_else_is_found(
    house: House, evening: Checkpoint, change: Callable[[dict[str, Any]], object], why: Why
):
    history = a_full_tournament(games=False, named=name_checkpoint(evening)).events
    [place] = [one.position for one in history if one.event == RoundClosed(1, name_checkpoint(evening))]
    Hand(house).lay(STREAM, changed(rows_of(history), place, lambda stored: change(stored["body"]["checkpoint"])))
    house.open_again()
    assert held(house)["round.closed/1"] == ("divergent", why)


@EMBEDDED
def test_where_the_tree_is_behind_or_of_a_log_that_was_forked_it_says_nothing(house: House, evening: Checkpoint, caught_up: Steps):
    house.tree.begin(1)
    assert [one and (one.verdict, one.why) for one in by_tree(house)] == [("not_judged", "no_tree")]
    house.begin(2, forked='{"at":"…"}')
    house.now += 1
    caught_up(house.keeper())
    assert by_tree(house) == [None]
    assert held(house) == {"log.signed": ("sound", "as_signed"), "round.closed/1": ("sound", "as_signed")}
