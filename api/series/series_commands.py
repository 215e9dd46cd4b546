"""Acts of the directors of a series: its tournaments, points, categories, its end and its publication."""

from collections.abc import Iterable, Sequence

from api.common.act_handlers import CommandContext
from api.http.decoding import ReasonBody
from api.http.places import may_read
from api.http.request import Request
from api.series.commands import read_tournaments, series_act
from api.series.requests import AddTournament, AdjustSeries, PublishSeries, RemoveTournament, SetCategory
from api.standings.as_of import AsOf, standings_at
from domain.access import Place
from domain.errors import Unknown
from domain.events import Event
from domain.events.base import TextRef
from domain.name_validation import normalize_name
from domain.series import decisions
from domain.series.decisions import warn_about_openness
from domain.series.results import PlayedTournament
from domain.series.series import Series
from domain.tournament.tournament import Tournament
from domain.tournament.warnings import Remark


def _warn_about_tournament(after: Series, prepared: tuple[Tournament, PlayedTournament]) -> Iterable[Remark]:
    return warn_about_openness(after.publication, prepared[:1])


def _warn_about_publication(after: Series, tournaments: Sequence[Tournament]) -> Iterable[Remark]:
    return warn_about_openness(after.publication, tournaments)


async def _prepare_tournament(request: Request, body: AddTournament) -> tuple[Tournament, PlayedTournament]:
    """Return the tournament as it stands. Raises ``Unknown`` also for one that the caller may not read."""
    if not await may_read(request, request.user, Place(body.tournament)):
        raise Unknown("tournament", body.tournament)
    of = await standings_at(request, body.tournament, AsOf())
    return of.tournament, of.played


def _add(on: CommandContext[Series]) -> Sequence[Event]:
    tournament, played = on.prepared
    return (decisions.add_tournament(on.now, tournament, played, on.body.weight),)


def _set_category(on: CommandContext[Series]) -> Sequence[Event]:
    body: SetCategory = on.body
    category = None if body.category is None else normalize_name(body.category, "category")
    return (decisions.set_category(on.now, body.player, category),)


def _reason(on: CommandContext[Series]) -> TextRef:
    assert on.text is not None  # the body requires it
    return on.text


ACTS = (
    series_act(
        "tournaments",
        "add_tournament_to_series",
        "Add a tournament to a series",
        AddTournament,
        _add,
        prepare=_prepare_tournament,
        remarks=_warn_about_tournament,
        description="It may be announced, in play or finished, and belong to other series, too. In play it counts as it stands.",
    ),
    series_act(
        "removals",
        "remove_tournament_from_series",
        "Remove a tournament from a series",
        RemoveTournament,
        lambda on: (decisions.remove_tournament(on.now, on.body.tournament, _reason(on)),),
        text="reason",
        description="It counts for nothing any more, and may be added again.",
    ),
    series_act(
        "adjustments",
        "adjust_series",
        "Give a player bonus or penalty points in a series",
        AdjustSeries,
        lambda on: (decisions.adjust_points(on.now, on.body.player, on.body.points, _reason(on)),),
        text="reason",
        description="A bonus, or with a minus a penalty. It stands in the table. An opposite one takes it back.",
    ),
    series_act(
        "categories",
        "categorize_player",
        "Change the category of a player in a series",
        SetCategory,
        _set_category,
        description="Categories stand in events permanently: no names of people.",
    ),
    series_act(
        "ending",
        "end_series",
        "End a series once its tournaments are finished",
        ReasonBody,
        lambda on: (decisions.end_series(on.now, on.text, on.prepared),),
        prepare=read_tournaments,
        text="reason",
        description="Rulings in its tournaments still change the table.",
    ),
    series_act(
        "publication",
        "publish_series",
        "Publish a series, or withdraw the publication",
        PublishSeries,
        lambda on: (decisions.publish_series(on.now, on.body.publication),),
        prepare=read_tournaments,
        remarks=_warn_about_publication,
        description=(
            "Anybody can read the table of a published series without a token, also the results of its tournaments that are not published; "
            "`remarks` say how many. `names` states that the players agreed to be named."
        ),
    ),
)
