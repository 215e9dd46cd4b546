"""Corrections without a ruling, or by an earlier one: of the table, of points, and an illegal move that stood."""

from collections.abc import Sequence

from api.common.act_handlers import CommandContext
from api.common.reading import check_full_view
from api.rulings.commands import game_act, parse_illegal_move, rules_of
from api.rulings.requests import AcceptIllegalMove, AdjustPoints, CorrectTable
from api.rulings.rulings import points_of
from domain.events import Event
from domain.game import Game
from domain.moves import AcceptedMove
from domain.ruling import adjust, allow_illegal_move, order_table_change


def _build_table_change(on: CommandContext[Game]) -> Sequence[Event]:
    check_full_view(on.request)
    return (order_table_change(on.now, rules_of(on), on.body.effects, on.text, on.body.ruling),)


def _build_accepted_move(on: CommandContext[Game]) -> Sequence[Event]:
    check_full_view(on.request)
    stood = AcceptedMove(on.body.seat, parse_illegal_move(on.request, on.body), on.body.effects)
    return (allow_illegal_move(on.now, rules_of(on), stood, on.text, on.body.ruling),)


ACTS = (
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
