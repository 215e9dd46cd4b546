"""Rulings: on a dispute, on appeal, or of an arbiter's own motion; a ruling and its orders are recorded together, all or none."""

from collections.abc import Sequence
from typing import Any

from msgspec import UNSET

from api.common.act_handlers import CommandContext
from api.common.reading import check_full_view, table_of
from api.common.rulebooks import about_of
from api.http.guards import check_role
from api.http.request import Request, services_of
from api.rulings.commands import game_act, parse_illegal_move, rules_of
from api.rulings.requests import AcceptIllegalMove, AdjustPoints, CorrectTable, IssueRuling
from domain.access import ARBITERS
from domain.errors import Refused
from domain.events import Event
from domain.events.game import DisputeRuled, Instance
from domain.game import Game
from domain.moves import AcceptedMove, latest_of
from domain.ruling import Order, PointsChange, adjust, allow_illegal_move, order_table_change, rule
from domain.table import Table


async def _order(request: Request, body: IssueRuling) -> Order:
    restored, tables = await _read_table(request, body.to), await _tables_at_orders(request) if body.decision == "overturn" else {}
    given = body.stood
    stood = None if given is None else AcceptedMove(given.seat, parse_illegal_move(request, given), given.effects)
    return Order(body.to, restored, _effects_or_none(body.effects), points_of(body), stood, body.lifts, tables)


def instance_of(role: str) -> Instance:
    """Return the instance as which a role rules."""
    return "committee" if role == "committee" else "arbiter"


def _rule(on: CommandContext[Game]) -> Sequence[Event]:
    instance = instance_of(on.request.user.role)
    if on.body.dispute is None:
        check_role(on.request.user, ARBITERS)
    if on.body.decision == "rectify" or on.body.stood is not None:
        check_full_view(on.request)
    _check_rule_numbers(on)
    ruling = DisputeRuled(0, on.body.dispute, instance, on.body.decision, on.text, tuple(on.body.rules))
    return rule(on.now, rules_of(on), ruling, on.prepared)


def _check_rule_numbers(on: CommandContext[Game]) -> None:
    """Check the rule numbers of a ruling, which are public: each has to be in the edition that is played or in the newest. Raises
    ``Refused``.
    """
    services, setup = services_of(on.request), on.now.setup
    editions = (latest_of(services.rulesets, setup), services.editions.get((setup.ruleset, on.now.edition)))
    known = {rule.number for ruleset in editions if ruleset for rule in about_of(ruleset).rules}
    if foreign := [number for number in on.body.rules if number not in known]:
        raise Refused("no_such_rule", rule=foreign[0])


async def _read_table(request: Request, to: int | None) -> Table | None:
    """Return the table at ``to``, ``None`` if the game has not come that far. Read before the decision: earlier positions cannot change."""
    game = await services_of(request).journal.current(request.path_params["game"])
    return await table_of(request, game, to) if to is not None and 1 <= to <= game.position else None


async def _tables_at_orders(request: Request) -> dict[int, Table]:
    """Return the tables before and after each order of a ruling that may be lifted, by position."""
    game = await services_of(request).journal.current(request.path_params["game"])
    positions = {position for order in game.docket.orders if order.kind != "points" for position in (order.position - 1, order.position)}
    return {position: await table_of(request, game, position) for position in positions}


def _effects_or_none(effects: Any) -> object:
    return None if effects is UNSET else effects


def points_of(body: Any) -> tuple[PointsChange, ...]:
    return tuple(PointsChange(one.party, one.points, one.hand) for one in body.adjustments)


ACTS = (
    game_act(
        "rulings",
        "rule",
        "Rule on a dispute, or where nobody raised one",
        IssueRuling,
        "judge",
        _rule,
        prepare=_order,
        says="the ruling and what it orders",
        description="Only the committee rules on an appeal, and it rules on disputes only.",
    ),
)


# Corrections without a ruling, or by an earlier one: of the table, of points, and an illegal move that stood.


def _build_table_change(on: CommandContext[Game]) -> Sequence[Event]:
    check_full_view(on.request)
    return (order_table_change(on.now, rules_of(on), on.body.effects, on.text, on.body.ruling),)


def _build_accepted_move(on: CommandContext[Game]) -> Sequence[Event]:
    check_full_view(on.request)
    stood = AcceptedMove(on.body.seat, parse_illegal_move(on.request, on.body), on.body.effects)
    return (allow_illegal_move(on.now, rules_of(on), stood, on.text, on.body.ruling),)


RECTIFICATIONS = (
    game_act(
        "rectifications",
        "rectify",
        "Rectify the cards on the table",
        CorrectTable,
        "arbiter",
        _build_table_change,
        description=(
            "No rule is checked, but cards have to lie in the zone that they are taken from: no card is gained or lost. "
            "`index` names the effect."
        ),
    ),
    game_act(
        "stood-moves",
        "let_stand",
        "Record an illegal move that stood at the table, with its real effect",
        AcceptIllegalMove,
        "arbiter",
        _build_accepted_move,
        description=(
            "The refusal that the move would have got is recorded with it. Without `effects` the cards go as the move says; where that "
            "makes no sense on the table, the code is `effects_unclear`. Play continues from the resulting table."
        ),
    ),
    game_act(
        "adjustments",
        "adjust",
        "Give or take points",
        AdjustPoints,
        "arbiter",
        lambda on: adjust(on.now, points_of(on.body), on.text, on.body.ruling, rules_of(on)),
        description=(
            "Points belong to a finished hand, or to none. Later hands include them; the places of a finished game are computed again."
        ),
    ),
)
