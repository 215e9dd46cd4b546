"""The audit of histories as they would come from a store. What happens in the store stands in ``tests/api/common/test_audits.py``."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from domain import codec
from domain.codec import link_of
from domain.effects import DetailAnnounced, Effects
from domain.events import Recorded, digest
from domain.events.game import HandDealt
from domain.games import EDITIONS, RULESETS
from domain.rules import NOTHING_TOLD, KnownFaces
from domain.table import Table
from replay.audit import audit
from replay.audit_result import Audit, AuditMismatch, AuditRemark, SkippedRange
from tests.domain.toy import TOY, Toy, ToyRuleset
from tests.laws import history, play
from tests.tampering import COUNTED, GAME, LENGTH, MARK, TAMPERINGS, UNSEEN, Rows, Tampering, a_game, changed, read, relinked, rows_of


def places(found: Audit) -> set[tuple[int, str]]:
    return {(divergence.position, divergence.kind) for divergence in found.divergences}


@pytest.mark.parametrize("key", RULESETS)
def test_a_random_game_is_sound(key: str):
    seats = {"cascades": 1, "quartett-classic": 3}.get(key, 2)
    found = a_game(key, seats)
    assert audit(found, EDITIONS) == Audit(GAME, key, "sound", len(found), len(found), (), (), ())


of_either_version = pytest.mark.parametrize("bound", [True, False], ids=["of this version", "of an older version"])
"""Streams as they are begun today, and as older versions began them."""


@of_either_version
@pytest.mark.parametrize("tampering", TAMPERINGS.values(), ids=TAMPERINGS)
def test_tampering_is_found_where_it_was_done(tampering: Tampering, bound: bool):
    found = audit(read(tampering.way(rows_of(a_game(bound=bound)))), EDITIONS)
    assert found.verdict == "divergent"
    assert places(found) >= set(tampering.found)
    assert min(divergence.position for divergence in found.divergences) == min(position for position, _ in tampering.found)


@of_either_version
@pytest.mark.parametrize("way", UNSEEN.values(), ids=UNSEEN)
def test_what_no_chain_of_digests_can_find_is_not_found(way: Callable[[Rows], Rows], bound: bool):
    assert audit(read(way(rows_of(a_game(bound=bound)))), EDITIONS).verdict == "sound"


def test_a_divergence_tells_what_was_recorded_and_what_the_rules_make_of_it():
    rows = TAMPERINGS["a_changed_mark"].way(rows_of(a_game()))
    [mark, link, *_] = audit(read(rows), EDITIONS).divergences
    assert mark == AuditMismatch(MARK, "effects", 'effect 3: ["mark","last_capturer",77,null]', 'effect 3: ["mark","last_capturer",0,null]')
    links = [link_of(GAME, MARK + 1, "move.played/1", state) for _, state in (rows_of(a_game())[MARK], rows[MARK])]
    assert link == AuditMismatch(MARK + 1, "link", *links)


def test_the_sheet_is_told_with_the_place_that_differs():
    rows = TAMPERINGS["a_raised_score_and_all_linked_anew"].way(rows_of(a_game()))
    found = audit(read(rows), EDITIONS).divergences
    assert [divergence.kind for divergence in found] == ["effects", "score_sheet"]
    assert found[0].recorded == f"effect {found[0].recorded.split()[1].strip(':')}: " + '["scored","cards",[9,0]]'
    assert found[1].recorded == "hands[0].rows.cards: [9,0]"


def test_an_event_judged_on_a_table_that_is_not_known_is_left():
    rows = TAMPERINGS["no_json"].way(rows_of(a_game()))
    found = audit(read(rows), EDITIONS)
    assert found.unjudged == (SkippedRange(21, COUNTED + 1, "the table before it is not known"),)
    assert found.judged == LENGTH - 1 - (COUNTED + 1 - 20)


def test_a_clock_set_back_is_a_remark_and_no_divergence():
    rows = relinked(changed(rows_of(a_game()), 20, lambda stored: stored.update(at="2026-11-21T18:00:00Z")))
    found = audit(read(rows), EDITIONS)
    assert (found.verdict, found.divergences) == ("sound", ())
    assert found.remarks == (AuditRemark(20, "recorded at 2026-11-21 18:00:00+00:00, the event before it at 2026-11-21 19:00:19+00:00"),)


def test_what_is_told_is_never_long():
    rows = changed(rows_of(a_game()), 20, lambda stored: stored["body"].update(move={"type": "x" * 100_000}))
    for divergence in audit(read(rows), EDITIONS).divergences:
        assert len(divergence.recorded) <= 400
        assert len(divergence.recomputed) <= 400


# Editions


class OlderToy(Toy, frozen=True):
    """In the edition before, whoever laid a card said so."""

    def resolve(self, table: Table, seat: object, move: object, told: KnownFaces = NOTHING_TOLD) -> Effects:
        return (DetailAnnounced(int(str(seat)), "laid"), *super().resolve(table, seat, move, told))


class OlderRuleset(ToyRuleset, frozen=True):
    edition: int = 2

    def bind(self, options: object, seats: object) -> Toy:
        bound = super().bind(options, seats)
        return OlderToy(bound.setup, bound.hands)


OLDER = OlderRuleset()
BOTH = {("toy", 2): OLDER, ("toy", 3): TOY}


def toy_game(ruleset: Any) -> tuple[Recorded, ...]:
    return history(play(ruleset, ruleset.bind({"hands": 2}, 2), "toy", 100))


def test_an_event_is_judged_by_the_edition_it_was_recorded_under():
    for game in (toy_game(OLDER), toy_game(TOY)):
        assert audit(game, BOTH).verdict == "sound"


def test_a_game_that_goes_on_under_a_new_edition_is_judged_hand_by_hand():
    older, newer = toy_game(OLDER), toy_game(TOY)
    second = next(event.position for event in older if isinstance(event.event, HandDealt) and event.position > 2)
    events = [*older[: second - 1], *newer[second - 1 :]]
    linked: list[Recorded] = []
    for event in events:
        link = digest(linked[-1].state) if linked else None
        linked.append(codec.encode_event(event.stream, event.position, link, event.stamp, event.event))
    assert audit(linked, BOTH).verdict == "sound"
    wrong = [replace(event, event=replace(event.event, edition=3)) if event.position == 2 else event for event in linked]
    assert {kind for _, kind in places(audit(wrong, BOTH))} == {"effects"}


def test_what_was_recorded_under_an_edition_that_is_not_kept_is_not_judged():
    game = toy_game(OLDER)
    found = audit(game, {("toy", 3): TOY})
    assert (found.verdict, found.judged) == ("not_judged", 0)
    assert found.unjudged == (SkippedRange(1, len(game), "edition 2 of toy is not kept here"),)


def test_links_and_cards_are_checked_without_any_rules():
    rows = TAMPERINGS["a_card_of_an_effect"].way(rows_of(a_game()))
    assert places(audit(read(rows), {})) == {(20, "cards"), (21, "link")}


# Whatever lies there


class Stubborn(Toy, frozen=True):
    def resolve(self, table: Table, seat: object, move: object, told: KnownFaces = NOTHING_TOLD) -> Effects:
        raise ZeroDivisionError("a table that no rulebook ever made")


class StubbornRuleset(ToyRuleset, frozen=True):
    def bind(self, options: object, seats: object) -> Toy:
        bound = super().bind(options, seats)
        return Stubborn(bound.setup, bound.hands)


def test_a_rulebook_that_fails_is_a_divergence_and_no_crash():
    found = audit(toy_game(TOY), {("toy", 3): StubbornRuleset()})
    assert {divergence.recomputed for divergence in found.divergences} == {"ZeroDivisionError: a table that no rulebook ever made"}
    assert {kind for _, kind in places(found)} == {"failed"}


@given(
    st.integers(1, LENGTH),
    st.sampled_from(["zones", "marks", "turn", "to_act", "phase", "score", "sight", "moved", "zone", "mark", "scored"]),
    st.integers(0, 10**6),
)
def test_an_audit_ends_whatever_was_recorded(position: int, word: str, chance: int):
    """Any word of an event replaced by any other word of it."""
    rows = rows_of(a_game())
    name, state = rows[position]
    parts = state.split(b'"')
    parts[1 + 2 * (chance % (len(parts) // 2))] = word.encode()
    found = audit(read({**rows, position: (name, b'"'.join(parts))}), EDITIONS)
    assert found.events == LENGTH
