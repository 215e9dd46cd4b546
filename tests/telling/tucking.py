"""Games of the Trumpfspiel whose winners put cards under their stacks in a new order each time, as people do (QTR-32, COM-77)."""

from collections import Counter
from random import Random
from typing import Any, cast

from msgspec.structs import replace

from domain.binding import BoundRules
from domain.cards import HIDDEN, Seat
from domain.effects import CardsMoved, Known
from domain.games import RULESETS
from domain.table import Draft
from tests.domain.games.setups import SetUp
from tests.laws import Playout, play

TRUMPF = "quartett-trumpf"


def play_with_free_tucks(set_up: SetUp, seed: str) -> Playout:
    """Play a game whose table knows every card, however it was tucked; its rulebook is that of a record that does not."""
    ruleset = RULESETS[TRUMPF]
    rules = cast("BoundRules[Any, Any, Any]", ruleset.bind({**set_up.options, "tuck": "free"}, set_up.seats))
    playout = play(ruleset, _tucking(rules, Random(f"{seed}/tucks")), seed, set_up.longest)
    return playout._replace(rulebook=rules)


def _tucking(rules: BoundRules[Any, Any, Any], chance: Random) -> BoundRules[Any, Any, Any]:
    """Return rules by which the cards that go under a stack in one act are mixed there before everybody's eyes."""

    def play_and_tuck(draft: Draft, settled: Any, lying: Any, seat: Seat, move: Any) -> None:
        rules.game.play(draft, settled, lying, seat, move)
        moves = [effect for effect in draft.effects if isinstance(effect, CardsMoved) and effect.under]
        under = Counter({zone: sum(len(move.cards) for move in moves if move.target == zone) for zone in {move.target for move in moves}})
        for zone in sorted(under):
            tucked, above = draft.table.cards(zone)[: under[zone]], draft.table.cards(zone)[under[zone] :]
            # Turned down first: it is not to be seen which card went where.
            draft.emit(Known(zone, ((HIDDEN,) * len(tucked) + above)), Known(zone, (*chance.sample(tucked, len(tucked)), *above)))

    options = replace(rules.settled.options, tuck="shown")
    return replace(rules, settled=replace(rules.settled, options=options), game=replace(rules.game, play=play_and_tuck))
