"""A side signs a score sheet: which sheet that is, what is refused, and what a later change does to the signature."""

from typing import Any

import pytest

from domain.errors import Refused
from domain.events.game import (
    DisputeRuled,
    GameAbandoned,
    GameAnnulled,
    GameSuspended,
    HandEndedEarly,
    NoteAdded,
    SheetSigned,
    SignatureWithdrawn,
)
from domain.games import RULESETS
from domain.paper import Signature, sheet_digest
from domain.score import totals
from tests.domain.recorded import Order, PointsChange, RealGame
from tests.domain.test_stopped_hands import seats_of
from tests.each import each


def between_hands(key: str = "casino", **options: Any) -> RealGame:
    """A game in which one hand is over."""
    real = RealGame(key, options or ({"target": 100} if key == "casino" else {}), seats_of(key))
    real.hand()
    return real


def signing(real: RealGame, party: int = 0, position: int | None = None) -> SheetSigned:
    return SheetSigned(party, position or real.game.position, sheet_digest(real.sheet))


def sign(real: RealGame, party: int = 0) -> Signature:
    real.enact(signing(real, party))
    return real.game.signatures[-1]


def refusal(real: RealGame, act: Any) -> tuple[str, dict[str, object]]:
    with pytest.raises(Refused) as refused:
        real.enact(act)
    return refused.value.code, refused.value.detail


@pytest.mark.parametrize("key", RULESETS)
def test_a_side_signs_the_sheet_of_any_game(key: str):
    real = between_hands(key)
    shown, at = real.sheet, real.game.position
    digest = sheet_digest(shown)
    sign(real)
    assert real.last == SheetSigned(0, at, digest)
    assert (real.game.signatures, real.sheet) == ((Signature(0, at + 1, at, digest, shown.totals, None),), shown)
    assert real.judged().verdict == "sound"


def test_the_position_that_was_shown_may_be_older_than_the_game_as_long_as_the_sheet_is_the_same():
    real = between_hands()
    shown = real.game.position
    real.enact(NoteAdded(None))
    sign(real, 0)
    real.enact(signing(real, 1, shown))
    assert [(one.party, one.sheet) for one in real.game.signatures] == [(0, shown + 1), (1, shown)]
    assert real.judged().verdict == "sound"


def test_another_sheet_than_the_newest_is_not_signed():
    real = between_hands()
    old = signing(real)
    real.adjust(PointsChange(0, -2))
    assert refusal(real, old) == ("sheet_changed", {"position": real.game.position})
    sign(real)


def test_a_side_signs_a_sheet_once_and_another_sheet_again():
    real = between_hands()
    first = sign(real, 1)
    assert refusal(real, signing(real, 1)) == ("signed_already", {"party": 1, "position": first.position})
    sign(real, 0)
    real.hand()
    sign(real, 1)
    assert [one.party for one in real.game.signatures] == [1, 0, 1]


def test_where_no_hand_is_finished_there_is_nothing_to_sign():
    real = RealGame("casino")
    assert refusal(real, signing(real)) == ("nothing_to_sign", {})
    real.deal()
    real.play(3)
    assert refusal(real, signing(real)) == ("nothing_to_sign", {})
    real.enact(HandEndedEarly((), True, None))  # it counts for nothing
    assert refusal(real, signing(real)) == ("nothing_to_sign", {})


def test_an_annulled_game_has_nothing_to_sign_and_an_abandoned_or_suspended_one_has():
    real = between_hands()
    real.enact(GameSuspended(None))
    sign(real, 0)
    real.enact(GameAbandoned(None))
    sign(real, 1)
    real.enact(GameAnnulled(None))
    assert refusal(real, signing(real)) == ("nothing_to_sign", {})


def test_a_game_that_is_over_can_be_signed_and_so_can_one_while_a_hand_is_in_progress():
    real = between_hands()
    real.deal()
    real.play(2)
    sign(real)
    real.enact(GameAbandoned(None))
    over = RealGame("alcasan")
    over.hand()
    assert (over.table.phase, sign(over).changed_at) == ("game_over", None)


@each(
    ("act", "code"),
    [
        (SheetSigned(2, 2, "0" * 64), "no_such_party"),
        (SheetSigned(-1, 2, "0" * 64), "no_such_party"),
        (SheetSigned(0, 10_000, "0" * 64), "no_such_position"),
        (SheetSigned(0, 2, "0" * 64), "sheet_changed"),
    ],
)
def test_what_no_side_can_sign_is_refused(act: SheetSigned, code: str):
    assert refusal(between_hands(), act)[0] == code


def test_a_sheet_of_which_only_the_result_is_known_is_signed_and_changed_like_any_other():
    real = RealGame("casino", {"target": 100})
    real.report(1, {"points": [7, 4]})
    sign(real)
    real.report(0, {"points": [1, 10]})
    assert of(real) == ((7, 4), 3 + 1, (8, 14))
    assert {one.kind for one in real.judged().divergences} == set()


# What is withdrawn


def test_a_signature_that_was_given_by_mistake_is_withdrawn_and_the_sheet_can_be_signed_again():
    real = between_hands()
    first, other = sign(real, 0), sign(real, 1)
    real.enact(SignatureWithdrawn(0, first.position))
    assert (real.last, real.game.signatures) == (SignatureWithdrawn(0, first.position), (other,))
    assert [one.party for one in (sign(real, 0), *real.game.signatures)] == [0, 1, 0]
    assert real.judged().verdict == "sound"


def test_only_a_signature_under_the_sheet_as_it_stands_is_withdrawn():
    real = between_hands()
    at = sign(real, 0).position
    assert refusal(real, SignatureWithdrawn(0, at - 1)) == ("not_signed", {"position": at - 1})
    real.adjust(PointsChange(0, -2))
    assert refusal(real, SignatureWithdrawn(0, at)) == ("not_signed", {"position": at})


def test_an_undo_brings_no_withdrawn_signature_back():
    real = between_hands()
    last, to = real.last, real.game.position - 1
    real.enact(SignatureWithdrawn(0, sign(real).position))
    real.add(real.game.rewind(to, None, real.at(to)))
    real.add(last)
    assert real.game.signatures == ()


# What changes after


def of(real: RealGame) -> tuple[tuple[int, ...], int | None, tuple[int, ...]]:
    """The totals that were signed, where the sheet changed first since, and the totals now."""
    signature = real.game.signatures[0]
    return signature.totals, signature.changed_at, real.sheet.totals


def test_points_that_an_arbiter_gives_change_the_sheet_after_the_signature():
    real = between_hands()
    one, two = real.sheet.totals
    sign(real)
    real.adjust(PointsChange(0, -2))
    position = real.game.position
    real.adjust(PointsChange(1, 1))
    assert of(real) == ((one, two), position, (one - 2, two + 1))


def test_a_hand_that_is_played_on_changes_it_where_it_is_over_and_not_while_it_is_played():
    real = between_hands()
    sign(real)
    before = real.sheet.totals
    real.deal()
    real.play(5)
    assert of(real) == (before, None, before)
    real.play()
    assert of(real) == (before, real.game.position, real.sheet.totals)


def test_a_ruling_that_goes_back_leaves_the_signature_and_changes_what_was_signed():
    real = between_hands()
    to, before = real.game.position - 1, real.sheet.totals
    signature = sign(real)
    real.rule(DisputeRuled(0, None, "arbiter", "rewind", None), Order(to=to, restored=real.at(to)))
    assert of(real) == (before, real.game.position, (0, 0))
    assert not real.game.is_void(signature.position)
    assert real.judged().verdict == "sound"


def test_an_undo_leaves_the_signature_and_the_same_hand_played_again_is_the_sheet_that_was_signed():
    real = between_hands()
    last, to = real.last, real.game.position - 1
    before = sign(real).totals
    real.add(real.game.rewind(to, None, real.at(to)))
    assert of(real) == (before, real.game.position, (0, 0))
    real.add(last)
    assert of(real) == (before, None, before)
    assert refusal(real, signing(real))[0] == "signed_already"


def test_an_annulment_changes_it_and_so_does_a_hand_that_is_stopped():
    real = between_hands()
    before = sign(real).totals
    real.deal()
    real.enact(HandEndedEarly((), True, None))
    assert of(real) == (before, real.game.position, before)
    stopped = real.game.position
    real.enact(GameAnnulled(None))
    assert of(real) == (before, stopped, (0, 0))


def test_points_that_are_lifted_change_the_sheet_and_a_signature_is_no_hindrance_to_lifting():
    real = between_hands()
    real.rule(DisputeRuled(0, None, "arbiter", "rewind", None), Order(to=real.game.position - 1, restored=real.at(real.game.position - 1)))
    real.play()
    sign(real)
    assert real.game.signatures[0].changed_at is None
    assert totals(real.game.setup, real.table.score) == real.game.signatures[0].totals


def test_the_recorder_may_undo_behind_a_signature():
    real = between_hands()
    to = real.game.position - 1
    sign(real)
    real.game.check_rewind(to)


# The audit


def tampered(real: RealGame, other: SheetSigned) -> set[tuple[int, str]]:
    del real.history[-1]
    real.add(other)
    return {(one.position, one.kind) for one in real.judged().divergences}


def test_another_digest_than_that_of_the_sheet_is_found():
    real = between_hands()
    sign(real)
    position = real.game.position
    assert tampered(real, SheetSigned(0, position - 1, "0" * 64)) == {(position, "refused"), (position, "act")}


def test_a_position_with_another_sheet_is_found():
    real = between_hands()
    signature = sign(real)
    assert tampered(real, SheetSigned(0, 2, signature.digest)) == {(signature.position, "act")}


def test_a_signature_under_a_sheet_that_was_not_the_newest_is_found():
    real = between_hands()
    old = signing(real)
    real.hand()
    real.add(old)
    [found] = real.judged().divergences
    assert (found.position, found.kind, found.recomputed) == (real.game.position, "refused", "sheet_changed")


def test_a_position_that_is_not_there_yet_is_found():
    real = between_hands()
    signature = sign(real)
    assert tampered(real, SheetSigned(0, signature.position, signature.digest)) == {(signature.position, "refused")}
