"""Events of the rating lists that a federation publishes of a ruleset. Players are ids."""

from datetime import datetime

from domain.events.base import EventBase
from domain.events.tournament import Publication
from domain.ratings import RatingParameters


class ListedRating(EventBase, frozen=True):
    """A line of a list: rating and uncertainty as they are shown, after so many rated games."""

    place: int
    player: str
    rating: int
    uncertainty: int
    games: int


class RatingsPublished(EventBase, frozen=True):
    """``ratings.published/1``: the whole list by the games played before ``to``, of players with ``minimum_games``.

    ``digest`` is that of the lines. ``publication``: from here on everybody may read the lists of this ruleset, with these names; ``no``
    takes that back.
    """

    ruleset: str
    to: datetime
    minimum_games: int
    publication: Publication
    parameters: RatingParameters
    digest: str
    lines: tuple[ListedRating, ...]


NAMES: dict[type, str] = {RatingsPublished: "ratings.published/1"}
