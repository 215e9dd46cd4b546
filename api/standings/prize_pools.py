"""Labels of entrants (club, team, category), and the prize list."""

from typing import Annotated

from litestar.params import FromPath
from msgspec import UNSET, Meta, UnsetType
from msgspec.structs import replace

from api.common.act_handlers import CommandContext
from api.common.names import names_for_caller
from api.http.decoding import HappenedAt, Incoming, ResponseModel, copy_fields
from api.http.operations import Content, reads
from api.http.request import Request
from api.http.response import Response, encode
from api.standings.as_of import AsOf, standings_at
from api.standings.responses import AwardView, Category, Label
from api.standings.views import award_views, players_of
from api.tournaments.commands import tournament_act
from api.tournaments.reading import tournament_response
from domain.events.tournament import EntryLabelsSet, Labels, PrizePoolsSet
from domain.name_validation import normalize_name
from domain.standings.prize_pools import PrizePool
from domain.tournament.entries import label_entry, set_prize_pools
from domain.tournament.tournament import Tournament

Prize = Annotated[int, Meta(ge=0, le=1_000_000_000)]


class LabelEntry(Incoming, frozen=True, kw_only=True):
    """The changed labels of an entrant; what is left out stays. They stand in events permanently: no names of people."""

    corrects = True

    club: Annotated[Label | None, Meta(description="the club that stands beside the name; null for none")] | UnsetType = UNSET
    team: Annotated[Label | None, Meta(description="the team that stands beside the name; null for none")] | UnsetType = UNSET
    category: Category | UnsetType = UNSET
    happened_at: HappenedAt = None


class PrizePoolBody(Incoming, frozen=True, kw_only=True):
    """The prizes for a category, or for all."""

    category: Category = None
    amounts: Annotated[list[Prize], Meta(min_length=1, max_length=100, description="the first prize first")]


class SetPrizePools(Incoming, frozen=True, kw_only=True):
    """All funds from now on, in the order in which they are won."""

    funds: Annotated[list[PrizePoolBody], Meta(max_length=50, description="a fund for all entrants, and one for each category")]
    happened_at: HappenedAt = None


class PrizePoolView(ResponseModel, frozen=True, kw_only=True):
    category: Category
    amounts: tuple[int, ...]


class PrizeList(ResponseModel, frozen=True, kw_only=True):
    tournament: str
    position: int
    funds: list[PrizePoolView]
    awards: list[AwardView]


def _label(on: CommandContext[Tournament]) -> tuple[EntryLabelsSet]:
    body, number = on.body, on.path_parameter("entrant")
    given = {field: value for field in Labels.__struct_fields__ if (value := getattr(body, field)) is not UNSET}
    labels = replace(on.now.entrant(number).labels, **{field: _normalize(value, field) for field, value in given.items()})
    return (label_entry(on.now, number, labels),)


def _set(on: CommandContext[Tournament]) -> tuple[PrizePoolsSet]:
    body: SetPrizePools = on.body
    return (set_prize_pools(on.now, [PrizePool(_normalize(one.category, "category"), tuple(one.amounts)) for one in body.funds]),)


def _normalize(label: str | None, field: str) -> str | None:
    return None if label is None else normalize_name(label, field)


LABELS = tournament_act(
    "entries/{entrant:int}/labels",
    "label_entry",
    "Change the club, team and category of an entrant",
    LabelEntry,
    "recorder",
    _label,
    description="They stand in standings, seating plans and exports. The category decides in which prizes the entrant can win.",
)
PRIZES = tournament_act(
    "prizes",
    "set_prizes",
    "Change the prizes of a tournament",
    SetPrizePools,
    "director",
    _set,
    description="Funds are won in their order, and nobody wins in two. Entrants with equal places share the prizes of these places.",
)


@reads(
    "/v1/tournaments/{tournament:str}/prizes",
    "list_prizes",
    "List the prizes by the present standings",
    responses={200: Content("the prizes, and the entrants who win them", PrizeList, headers=("ETag",))},
    refuses=(503,),
)
async def list_prize_pools(request: Request, tournament: FromPath[str]) -> Response:
    of = await standings_at(request, tournament, AsOf())
    now = of.tournament
    shown = await names_for_caller(request, tournament, (player for line in of.lines for player in players_of(of, line.entrant)))
    told = PrizeList(
        tournament=tournament,
        position=now.position,
        funds=[copy_fields(one, PrizePoolView) for one in now.funds],
        awards=award_views(of, shown),
    )
    return tournament_response(request, now, encode(told))
