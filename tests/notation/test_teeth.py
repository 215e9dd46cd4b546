"""The law of the notation has teeth: a grammar that is wrong in one thing is found."""

from collections.abc import Callable
from typing import Any, cast

import pytest
from msgspec.structs import replace

from domain.binding import BoundRules
from domain.games import RULESETS
from domain.notation.letters import Cut, Unit
from domain.notation.syntax import FaceClause, Meaning, MoveContext, MoveFaces
from domain.rules import Move
from tests.laws import Breaches, Playout, play
from tests.notation.law import full_forms_are_read_back, lines_tell_what_is_asked, short_forms_are_read_back

Rules = BoundRules[Any, Any, Any]
Law = Callable[[Playout], Breaches]


def with_grammar(rules: Rules, **changed: Any) -> Rules:
    assert rules.game.notation
    return replace(rules, game=replace(rules.game, notation=replace(rules.game.notation, **changed)))


def forgets_copies(rules: Rules) -> Rules:
    assert rules.game.notation
    spell = rules.game.notation.spell

    def spelled(settled: Any, move: Move) -> tuple[Unit, ...]:
        return spell(settled, move)[:1]

    return with_grammar(rules, spell=spelled)


def takes_the_first_of_several(rules: Rules) -> Rules:
    def fitting(situation: MoveContext, cut: Cut) -> Meaning:
        return Meaning(situation.candidate_moves[:1])

    return with_grammar(rules, fitting=fitting)


def tells_of_another_zone(rules: Rules) -> Rules:
    def tells(settled: Any, lying: Any, seat: int, move: Move, said: FaceClause) -> MoveFaces:
        return MoveFaces({"reserve:0": said.faces})

    return with_grammar(rules, tells=tells)


def typed_law(playout: Playout) -> Breaches:
    return lines_tell_what_is_asked(playout, "nothing")


@pytest.mark.parametrize(
    ("key", "spoilt", "law"),
    [
        ("cascades", takes_the_first_of_several, full_forms_are_read_back),
        ("cascades", takes_the_first_of_several, short_forms_are_read_back),
        ("alcasan", forgets_copies, full_forms_are_read_back),
        ("cascades", tells_of_another_zone, typed_law),
    ],
)
def test_a_grammar_that_is_wrong_in_one_thing_is_found(key: str, spoilt: Callable[[Rules], Rules], law: Law):
    ruleset = RULESETS[key]
    rules = cast("Rules", ruleset.bind({}, 1 if key == "cascades" else 2))
    playout = play(ruleset, rules, "teeth", 40, rarely=("resign",))
    assert next(law(playout._replace(rulebook=spoilt(rules))), None)
