"""Games of the Trumpfspiel whose winners put cards under their stacks as people do: in an order of their own each time (QTR-32, COM-77)."""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any, Literal, TypeAlias, cast, get_args

from msgspec.structs import replace

from domain.binding import BoundRules
from domain.cards import HIDDEN, Card, Seat
from domain.effects import CardsMoved, Known
from domain.games import RULESETS
from domain.games.quartett.trumpf.table import TrumpfTable, stack_zone
from domain.table import Draft
from tests.domain.games.setups import SetUp
from tests.laws import Playout, play

TRUMPF = "quartett-trumpf"

Tuck: TypeAlias = Literal["random", "own", "fixed"]
"""How winners tuck: in any order, their own cards first, or in the order in which the cards were shown."""

TUCKS: tuple[Tuck, ...] = get_args(Tuck)

Shown: TypeAlias = Mapping[Card, Seat]
Order: TypeAlias = Callable[[tuple[Card, ...], Seat, Shown], tuple[Card, ...]]
"""Orders the cards that a seat tucks, lowest first, by the seats that showed them."""


def play_with_free_tucks(set_up: SetUp, seed: str, tuck: Tuck = "random") -> Playout:
    """Play a game whose table knows every card, however it was tucked; its rulebook is that of a record that does not."""
    ruleset = RULESETS[TRUMPF]
    rules = cast("BoundRules[Any, Any, Any]", ruleset.bind({**set_up.options, "tuck": "free"}, set_up.seats))
    playout = play(ruleset, _tucking(rules, _order_of(tuck, Random(f"{seed}/tucks"))), seed, set_up.longest)
    return playout._replace(rulebook=rules)


def _order_of(tuck: Tuck, chance: Random) -> Order:
    match tuck:
        case "random":
            return lambda cards, seat, shown: tuple(chance.sample(cards, len(cards)))
        case "own":
            return lambda cards, seat, shown: tuple(sorted(cards, key=lambda card: shown.get(card) == seat))
        case "fixed":
            return lambda cards, seat, shown: cards


def _tucking(rules: BoundRules[Any, Any, Any], order: Order) -> BoundRules[Any, Any, Any]:
    """Return rules by which the cards that go under a stack in one act lie there in this order."""

    def play_and_tuck(draft: Draft, settled: Any, lying: TrumpfTable, seat: Seat, move: Any) -> None:
        rules.game.play(draft, settled, lying, seat, move)
        moves = [effect for effect in draft.effects if isinstance(effect, CardsMoved)]
        shown = {card: whose for whose, card in (*lying.tied_cards, *lying.round_cards)}
        shown |= {move.cards[0]: whose for move in moves if move.shown for whose in lying.seats if move.source == stack_zone(whose)}
        for whose in lying.seats:
            zone = stack_zone(whose)
            if count := sum(len(move.cards) for move in moves if move.under and move.target == zone):
                tucked, above = draft.table.cards(zone)[:count], draft.table.cards(zone)[count:]
                # Turned down first: it is not to be seen which card went where.
                draft.emit(Known(zone, (HIDDEN,) * count + above), Known(zone, order(tucked, whose, shown) + above))

    options = replace(rules.settled.options, tuck="shown")
    return replace(rules, settled=replace(rules.settled, options=options), game=replace(rules.game, play=play_and_tuck))
