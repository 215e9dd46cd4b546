"""The director's order of entrants who stand equal, such as after a play-off."""

from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta

from api.common.act_handlers import CommandContext
from api.http.decoding import FreeText, HappenedAt, Incoming, Number
from api.http.request import Request
from api.tournaments.commands import Receipts, tournament_act
from api.tournaments.reading import build_person_of, current_tournament, games_to_decide_on
from domain.events.tournament import StandingsOrdered
from domain.tournament.games import PersonOf, TableGame
from domain.tournament.ties import order_tied
from domain.tournament.tournament import Tournament
from domain.tournament.warnings import Remark, warn_after_end


class OrderStandings(Incoming, frozen=True, kw_only=True):
    """Entrants who stand equal, in the order in which they are to stand."""

    entrants: Annotated[list[Number], Meta(min_length=2, max_length=1000, description="all who share the place, the best first")]
    reason: Annotated[FreeText, Meta(description="the reason, in words, such as the result of the play-off")]
    happened_at: HappenedAt = None


async def _read(request: Request, _: OrderStandings) -> tuple[Sequence[TableGame], PersonOf]:
    id = request.path_params["tournament"]
    games = await games_to_decide_on(request, id)
    players = (player for game in games for player in game.players)
    return games, await build_person_of(request, await current_tournament(request, id), players)


def _order(on: CommandContext[Tournament]) -> tuple[StandingsOrdered]:
    assert on.text is not None  # the request has a reason
    return (order_tied(on.now, on.body.entrants, on.text, *on.prepared),)


def _warn_about_change(receipt: Receipts, _: object) -> Sequence[Remark]:
    return warn_after_end(receipt.before) if receipt.before else ()


ORDER = tournament_act(
    "standings/order",
    "order_standings",
    "Choose the order of entrants who stand equal, such as after a play-off",
    OrderStandings,
    "director",
    _order,
    prepare=_read,
    remarks=_warn_about_change,
    text="reason",
    description=(
        "All entrants who share a place before the lots are named, the best first; others are 422 `not_equal`. The order holds while "
        "exactly these stand equal, and the standings say `ordered`. A later order of the same entrants replaces it."
    ),
)
