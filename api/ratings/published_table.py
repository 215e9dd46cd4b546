"""Published rating lists as responses and as an exported table: a line for each player, beside the list before it."""

from collections.abc import Sequence
from datetime import datetime
from typing import Self

from msgspec import UNSET, Struct, UnsetType

from api.common.names import load_names_in_lists
from api.common.tables.columns import Column, Table
from api.common.tables.files import FileInfo, FormName, TableFile
from api.common.time_zone import Times
from api.http.decoding import ResponseModel, copy_fields
from api.services import Sources
from domain.errors import BadCursor, Refused, Unknown
from domain.events.ratings import ListedRating
from domain.events.tournament import Publication
from domain.journal.application import Journal
from domain.rating_lists import (
    RATING_LISTS,
    PublishedList,
    RatingLists,
    RatingMove,
    compare_lists,
    lines_in,
    list_rating,
    rating_lists_stream,
)
from domain.ratings import PARAMETERS, RatingParameters
from projections.engine.store import Store
from projections.models.player_places import APPEARANCES
from projections.models.players import PLAYERS, roots
from projections.models.reading import cursor_of, text_place_of
from projections.models.score_lines.rating_list import RatingFilters, find_update_start, list_ratings
from projections.models.tournaments import TOURNAMENTS

PUBLISHED = Table(
    "published_ratings",
    "kiebitz-published-ratings/1",
    "a published rating list, best first, beside the list before it",
    (
        Column("place", "integer", "place in the list; equal ratings share one", required=True),
        Column("player", "string", "id of the player when the list was published", required=True),
        Column("shown", "string", "what may stand for the player before whoever asks: name or alias, else words", required=True),
        Column("rating", "integer", "the rating", required=True),
        Column("uncertainty", "integer", "its uncertainty", required=True),
        Column("games", "integer", "rated games", required=True),
        Column("provisional", "boolean", "whether the player has fewer than 10 rated games", required=True),
        Column("place_before", "integer", "place in the list before; empty for a newcomer"),
        Column("rating_before", "integer", "rating in the list before; empty for a newcomer"),
    ),
    ("player",),
)


class PublishedListView(ResponseModel, frozen=True, kw_only=True):
    """``digest``: SHA-256 of the lines (place, player, rating, uncertainty, games), each as a JSON array and a newline."""

    ruleset: str
    number: int
    published_at: datetime
    to: datetime
    minimum_games: int
    publication: Publication
    players: int
    digest: str


class RatingListRecorded(ResponseModel, frozen=True, kw_only=True):
    """``position`` is the number of the list, and the one for the next ``If-Match``."""

    ruleset: str
    position: int
    sequence: int | UnsetType = UNSET
    published: PublishedListView
    dry_run: bool | UnsetType = UNSET


class PublishedLists(ResponseModel, frozen=True, kw_only=True):
    items: list[PublishedListView]
    next: str | None


class PublishedRatingView(ResponseModel, frozen=True, kw_only=True):
    """A line of a published list: see ``/v1/schemas/published_ratings``."""

    place: int
    player: str
    shown: str
    rating: int
    uncertainty: int
    games: int
    provisional: bool
    place_before: int | None
    rating_before: int | None


class PublishedRatings(ResponseModel, frozen=True, kw_only=True):
    """A page of a published list, best first."""

    published: PublishedListView
    parameters: RatingParameters
    items: list[PublishedRatingView]
    next: str | None


class RatingMoveView(ResponseModel, frozen=True, kw_only=True):
    """``before`` is null for a newcomer, ``after`` for somebody who is in the later list no more."""

    player: str
    shown: str
    before: ListedRating | None
    after: ListedRating | None


class RatingListDiff(ResponseModel, frozen=True, kw_only=True):
    """``before`` and ``after`` are numbers of lists; null is now."""

    ruleset: str
    before: int
    after: int | None
    moved: list[RatingMoveView]


class ListNumber(Struct, frozen=True, kw_only=True):
    """A published list of a ruleset."""

    ruleset: str
    number: int


class PublishedRatingsFile(TableFile, frozen=True, kw_only=True):
    full_table = PUBLISHED
    query = ListNumber
    projections = (PLAYERS.name, TOURNAMENTS.name, APPEARANCES.name)
    ruleset: str
    listed: PublishedList
    publication: Publication
    lines: tuple[RatingMove, ...]

    @classmethod
    def make(cls, sources: Sources, query: ListNumber, times: Times, form: FormName, about: FileInfo) -> Self:
        try:
            lists = sources.journal.aggregate(RATING_LISTS, rating_lists_stream(query.ruleset))
        except Unknown:
            raise Unknown("rating_list", query.ruleset) from None
        return cls.of(sources, lists, query.number, form, about)

    @classmethod
    def of(cls, sources: Sources, lists: RatingLists, number: int, form: FormName, about: FileInfo) -> Self:
        """Return a published list beside the one before it. Call it in a thread. Raises ``Unknown``."""
        listed = lists.list_of(number)
        former = max((one.number for one in lists.lists if one.number < number), default=0)
        lines = list_moves(sources.store, *(read_lines(sources.journal, lists.ruleset, one) for one in (former, number)))
        after = tuple(one for one in lines if one.after)
        return cls(form=form, about=about, ruleset=lists.ruleset, listed=listed, publication=lists.publication, lines=after)

    def found(self, sources: Sources, cursor: str | None, limit: int) -> PublishedRatings:
        first = 0 if cursor is None else _number_of(cursor, len(self.lines))
        page, more = self.lines[first : first + limit], len(self.lines) > first + limit
        shown = load_names_in_lists(
            sources.registers, sources.store, {one.player for one in page}, self.about.name_viewer, self.publication
        )
        return PublishedRatings(
            published=list_view(self.ruleset, self.listed),
            parameters=PARAMETERS,
            items=[_rating_view(one.after, one.before, shown[one.player]) for one in page if one.after],
            next=cursor_of(str(first + limit)) if more else None,
        )


def _number_of(cursor: str, lines: int) -> int:
    place = text_place_of(cursor)
    if not (place.isdecimal() and len(place) < 10 and int(place) < lines):
        raise BadCursor
    return int(place)


def _rating_view(line: ListedRating, before: ListedRating | None, shown: str) -> PublishedRatingView:
    place, rating = (before.place, before.rating) if before else (None, None)
    provisional = line.games < PARAMETERS.provisional_below
    return copy_fields(line, PublishedRatingView, shown=shown, provisional=provisional, place_before=place, rating_before=rating)


def list_view(ruleset: str, one: PublishedList) -> PublishedListView:
    return copy_fields(one, PublishedListView, ruleset=ruleset)


def read_lines(journal: Journal, ruleset: str, number: int) -> Sequence[ListedRating]:
    """Return the lines of a published list; none for number 0. Blocks."""
    return lines_in(*journal.history(rating_lists_stream(ruleset), number - 1, 1)) if number else ()


def read_present_lines(store: Store, ruleset: str, to: datetime | None, minimum_games: int) -> Sequence[ListedRating]:
    """Return the list by the games before a moment. Raises ``Refused`` while it is being recomputed. Blocks."""
    if find_update_start(store, ruleset) is not None:
        raise Refused("ratings_recomputing")
    listed = list_ratings(store, RatingFilters(ruleset, to, None, minimum_games))
    return [list_rating(one.place, one.player, one.rating) for one in listed]


def list_moves(store: Store, before: Sequence[ListedRating], after: Sequence[ListedRating]) -> tuple[RatingMove, ...]:
    """Return all players of two lists, after mergers. Blocks."""
    known_by = roots(store, {one.player for one in (*before, *after)})
    return tuple(compare_lists(before, after, known_by.__getitem__))
