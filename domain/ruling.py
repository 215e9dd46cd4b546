"""Decisions of officials that take a rulebook or several events: rulings with what they order, rectifications, adjustments."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct

from domain.acts import Places, after_act, check_corrects, check_counts, enact, number_ruling, place_points
from domain.effects import plain
from domain.errors import Malformed, Refused
from domain.events import Event
from domain.events.base import TextRef
from domain.events.game import Decision, DisputeRuled, GameAnnulled, GameRewound, MoveStood, PointsAdjusted, TableRectified
from domain.game import Game
from domain.rectification import read_rectification
from domain.rules import Rulebook
from domain.table import Table
from domain.texts import say


class PointsChange(Struct, frozen=True):
    """Points to add to a party's, or to take away if negative. ``hand`` is a finished one; without it they count for the whole game."""

    party: int
    points: int
    hand: int | None = None


class Order(Struct, frozen=True):
    """What a ruling orders, by its decision: ``to`` with ``restored``, ``effects`` or ``adjustments``."""

    to: int | None = None
    restored: Table | None = None
    effects: object = None
    adjustments: tuple[PointsChange, ...] = ()


Ordered: TypeAlias = GameRewound | TableRectified | PointsAdjusted | GameAnnulled
ORDERED: Mapping[Decision, tuple[str | None, type[Ordered] | None]] = {
    "stands": (None, None),
    "rewind": ("to", GameRewound),
    "rectify": ("effects", TableRectified),
    "adjust": ("adjustments", PointsAdjusted),
    "penalty": ("adjustments", PointsAdjusted),
    "annul": (None, GameAnnulled),
}
"""By decision the field of the order that it needs, and the type of the event that carries it out."""


def rule(game: Game, rulebook: Rulebook, ruling: DisputeRuled, order: Order) -> tuple[Event, ...]:
    """The ruling, then what it orders. Raises ``Refused``, and ``Malformed`` where decision and order do not fit."""
    _check_order(ruling.decision, order)
    ruling = number_ruling(game, ruling)
    number, reason, after = ruling.ruling, ruling.reason, after_act(game, ruling)
    match ruling.decision:
        case "stands":
            return (ruling,)
        case "rewind":
            assert order.to is not None
            return (ruling, rewind(after, order.to, reason, number, order.restored))
        case "rectify":
            return (ruling, rectify(after, rulebook, order.effects, reason, number))
        case "adjust" | "penalty":
            return (ruling, *adjust(after, order.adjustments, reason, number, rulebook.places))
        case "annul":
            return (ruling, enact(after, GameAnnulled(reason, number), rulebook.places))


def _check_order(decision: Decision, order: Order) -> None:
    needed, _ = ORDERED[decision]
    given = {"to": order.to is not None, "effects": order.effects is not None, "adjustments": bool(order.adjustments)}
    for name, there in given.items():
        if there != (name == needed):
            key = "decision.needs" if name == needed else "decision.excludes"
            raise Malformed("malformed_body", say(key, decision=decision, name=name), name)


def rewind(game: Game, to: int, reason: TextRef | None, ruling: int, restored: Table | None) -> GameRewound:
    """A rewind by a ruling: to any position that stands, also of an earlier hand. ``restored`` is the table as it stood there."""
    check_counts(game)
    last = game.position
    if not 1 <= to < last or restored is None:
        raise Refused("rewind_ahead", to=to, position=last)
    if game.was_left(to):
        raise Refused("rewind_to_void", to=to)
    return GameRewound(to, reason, ruling, restored)


def rectify(game: Game, rulebook: Rulebook, effects: object, reason: TextRef | None, ruling: int | None) -> TableRectified:
    """``effects`` are decoded and checked here. Raises ``Malformed`` and ``Refused``."""
    check_corrects(game, ruling)
    return TableRectified(read_rectification(rulebook, game.table, effects), reason, ruling)


def let_stand(
    game: Game, rulebook: Rulebook, seat: object, move: object, effects: object, reason: TextRef | None, ruling: int | None
) -> MoveStood:
    """An illegal move that stood. Raises ``Refused`` with ``move_is_legal`` where there is nothing to let stand."""
    check_corrects(game, ruling)
    if type(seat) is not int or not 0 <= seat < game.setup.seats:
        raise Refused("no_such_seat", seat=seat)
    try:
        rulebook.resolve(game.table, seat, move)
    except Refused as refused:
        # A move that no store can hold is refused for the reason that the rules gave, not for its form.
        try:
            kept = plain(move)
        except ValueError:
            raise refused from None
        return MoveStood(seat, kept, refused.code, refused.rules, read_rectification(rulebook, game.table, effects), reason, ruling)
    raise Refused("move_is_legal")


def adjust(
    game: Game, points: Sequence[PointsChange], reason: TextRef | None, ruling: int | None, places: Places
) -> tuple[PointsAdjusted, ...]:
    """One event for each change. If the game is over, each carries the places that follow from it."""
    check_corrects(game, ruling)
    made: list[PointsAdjusted] = []
    for one in points:
        made.append(place_points(game, PointsAdjusted(one.hand, one.party, one.points, reason, ruling), places))
        game = after_act(game, made[-1])
    return tuple(made)
