"""Rulings of officials with their orders: rewinds, rectifications, adjustments, moves that stand, and overturned rulings."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from msgspec import UNSET, Struct
from msgspec.structs import replace

from domain import act_validation
from domain.dispute import RulingOrder
from domain.errors import InvalidFormatError, Refused, Unavailable
from domain.events import Event
from domain.events import game as events
from domain.events.base import TextRef
from domain.game import Game
from domain.moves import AcceptedMove, build_accepted_move
from domain.rules import Rulebook
from domain.table import Table
from domain.table_changes import read_table_change
from domain.texts import say


class PointsChange(Struct, frozen=True):
    """Points to add to a party's, or to take away if negative. ``hand`` is a finished one; without it they count for the whole game."""

    party: int
    points: int
    hand: int | None = None


class Order(Struct, frozen=True):
    """The order of a ruling, by its decision: ``to`` with ``restored``, ``effects``, ``adjustments``, or ``stood``, the illegal move that
    stands.

    ``lifts`` is the ruling that is overturned, by default the last one on the dispute that ordered anything. ``tables`` are those at each
    position before and after an order that may be lifted.
    """

    to: int | None = None
    restored: Table | None = None
    effects: object = None
    adjustments: tuple[PointsChange, ...] = ()
    stood: AcceptedMove | None = None
    lifts: int | None = None
    tables: Mapping[int, Table] = {}


Ordered: TypeAlias = events.RewindRecorded | events.TableCorrected | events.PointsAdjusted | events.GameAnnulled | events.OrderLifted
ORDERED: Mapping[events.Decision, tuple[str | None, type[Ordered] | None]] = {
    "stands": (None, None),
    "rewind": ("to", events.RewindRecorded),
    "rectify": ("effects", events.TableCorrected),
    "adjust": ("adjustments", events.PointsAdjusted),
    "penalty": ("adjustments", events.PointsAdjusted),
    "annul": (None, events.GameAnnulled),
    "overturn": (None, events.OrderLifted),
}
"""The field of the order that each decision needs, and the type of the event that carries it out."""


def list_decisions(instance: events.Instance, *, disputed: bool) -> list[events.Decision]:
    """Return the decisions that an instance may make on a dispute, or of its own motion. The latter have to order something; a committee
    has none.
    """
    if disputed:
        return [decision for decision, instances in act_validation.DECIDED_BY.items() if instance in instances]
    return [one for one in list_decisions(instance, disputed=True) if ORDERED[one][1] is not None] if instance == "arbiter" else []


def rule(game: Game, rulebook: Rulebook, ruling: events.DisputeRuled, order: Order) -> tuple[Event, ...]:
    """Return the ruling, then its orders. Raises ``Refused``, and ``InvalidFormatError`` where decision and order do not fit."""
    _check_order(ruling.decision, order)
    ruling = act_validation.number_ruling(game, ruling)
    number, reason, after = ruling.ruling, ruling.reason, act_validation.after_act(game, ruling)
    match ruling.decision:
        case "stands":
            return (ruling,) if order.stood is None else (ruling, allow_illegal_move(after, rulebook, order.stood, reason, number))
        case "rewind":
            assert order.to is not None
            return (ruling, rewind(after, order.to, reason, number, order.restored))
        case "rectify":
            return (ruling, order_table_change(after, rulebook, order.effects, reason, number))
        case "adjust" | "penalty":
            return (ruling, *adjust(after, order.adjustments, reason, number, rulebook))
        case "annul":
            return (ruling, act_validation.complete_act(after, events.GameAnnulled(reason, number), lambda: rulebook))
        case "overturn":
            return (ruling, *lift_orders(after, ruling, order, rulebook))


def _check_order(decision: events.Decision, order: Order) -> None:
    needed, _ = ORDERED[decision]
    given = {"to": order.to is not None, "effects": order.effects is not None, "adjustments": bool(order.adjustments)}
    for name, there in given.items():
        if there != (name == needed):
            key = "decision.needs" if name == needed else "decision.excludes"
            raise InvalidFormatError("malformed_body", say(key, decision=decision, name=name), name)
    for name, given_for, present in (("lifts", "overturn", order.lifts), ("stood", "stands", order.stood)):
        if present is not None and decision != given_for:
            raise InvalidFormatError("malformed_body", say("decision.excludes", decision=decision, name=name), name)


def orders_to_lift(game: Game, dispute: int | None, lifts: int | None) -> tuple[RulingOrder, ...]:
    """Return the orders of a ruling that is to be overturned. Raises ``Refused`` if no such order stands."""
    if lifts is not None:
        act_validation.check_ruling(game, lifts)
    on_dispute = game.docket.dispute(dispute) if dispute else None
    numbers = (lifts,) if lifts is not None else tuple(reversed(on_dispute.rulings)) if on_dispute else ()
    found = next((orders for number in numbers if (orders := act_validation.standing_orders(game, number))), ())
    if not found:
        raise Refused("nothing_to_lift", ruling=lifts or next(iter(numbers), None))
    return found


def lift_orders(game: Game, ruling: events.DisputeRuled, order: Order, rulebook: Rulebook) -> tuple[events.OrderLifted, ...]:
    """Lift all orders of the ruling, the last first. An order that cannot be lifted any more is refused, and then none is lifted. Raises
    ``Refused``, and ``Unavailable`` if another order was recorded meanwhile.
    """
    made: list[events.OrderLifted] = []
    *others, last = reversed(orders_to_lift(game, ruling.dispute, order.lifts))
    for one in (*others, last):
        restored = None
        if one.kind != "points":
            restored, after = order.tables.get(one.position - 1), order.tables.get(one.position)
            if restored is None or after is None:
                raise Unavailable("somebody ordered something at this moment; ask again", unclear=False)
            if strip_points(game.table) != strip_points(after):
                raise Refused("played_since", position=one.position, ruling=one.ruling)
        lifting = events.OrderLifted(one.position, one.ruling, ruling.ruling, ruling.reason, restored, further=one is not last or UNSET)
        made.append(act_validation.lift_order(game, lifting, rulebook))
        game = act_validation.after_act(game, made[-1])
    return tuple(made)


def strip_points(table: Table) -> Table:
    """Return the table without the fields that given or lifted points change: they may have changed since."""
    return replace(table, score=replace(table.score, places=None, facts={}, adjustments=(), struck=(), lifted=()))


def rewind(game: Game, to: int, reason: TextRef | None, ruling: int, restored: Table | None) -> events.RewindRecorded:
    """Return a rewind by a ruling: to any position that stands, also of an earlier hand. ``restored`` is the table as it stood there.
    Raises ``Refused``.
    """
    act_validation.check_counts(game)
    last = game.position
    if not 1 <= to < last or restored is None:
        raise Refused("rewind_ahead", to=to, position=last)
    if game.was_left(to):
        raise Refused("rewind_to_void", to=to)
    return events.RewindRecorded(to, reason, ruling, restored)


def order_table_change(
    game: Game, rulebook: Rulebook, effects: object, reason: TextRef | None, ruling: int | None
) -> events.TableCorrected:
    """Return the rectification. ``effects`` are decoded and checked here. Raises ``InvalidFormatError`` and ``Refused``."""
    act_validation.check_corrects(game, ruling)
    return events.TableCorrected(read_table_change(rulebook, game.table, effects), reason, ruling)


def allow_illegal_move(
    game: Game, rulebook: Rulebook, stood: AcceptedMove, reason: TextRef | None, ruling: int | None
) -> events.IllegalMoveAccepted:
    """Return an illegal move that stood. Raises ``Refused`` with ``move_is_legal`` where there is nothing to let stand."""
    act_validation.check_corrects(game, ruling)
    return replace(build_accepted_move(rulebook, game.table, stood), reason=reason, ruling=ruling)


def adjust(
    game: Game, points: Sequence[PointsChange], reason: TextRef | None, ruling: int | None, rulebook: Rulebook
) -> tuple[events.PointsAdjusted, ...]:
    """Return one event for each change. If the game is over, each carries the places that follow from it; the last may end it (COM-42).
    Raises ``Refused``.
    """
    act_validation.check_corrects(game, ruling)
    made: list[events.PointsAdjusted] = []
    for number, one in enumerate(points, 1):
        change = events.PointsAdjusted(one.hand, one.party, one.points, reason, ruling, further=number < len(points) or UNSET)
        made.append(act_validation.place_points(game, change, rulebook))
        game = act_validation.after_act(game, made[-1])
    return tuple(made)
