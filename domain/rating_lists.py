"""Published rating lists of a ruleset: a stream of its own, its fold, the decision to publish one more, and the difference of two lists."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from hashlib import sha256
from uuid import UUID, uuid5

import msgspec
from msgspec import Struct
from msgspec.structs import astuple, replace

from domain.errors import DataIntegrityError, Refused, Unknown
from domain.events import AggregateType, Recorded
from domain.events.base import Unreadable
from domain.events.ratings import ListedRating, RatingsPublished
from domain.events.tournament import Publication
from domain.ratings import PARAMETERS, Rating

LONGEST = 10_000
"""The most players of a list: an event of about 800 kB."""
_STREAMS = UUID("5b0c7a53-2f0e-4f0e-9a3f-7c1f5a0d6e21")  # never to be changed: the streams of all lists follow from it


def rating_lists_stream(ruleset: str) -> UUID:
    """Return the stream of the lists of this ruleset."""
    return uuid5(_STREAMS, ruleset)


class PublishedList(Struct, frozen=True):
    """A published list without its lines. ``number`` is the position of its event."""

    number: int
    published_at: datetime
    to: datetime
    minimum_games: int
    publication: Publication
    players: int
    digest: str


class RatingLists(Struct, frozen=True):
    """The lists of a ruleset, folded from their events, the oldest first."""

    id: UUID
    position: int
    last: bytes
    ruleset: str
    lists: tuple[PublishedList, ...] = ()
    bound: bool = False

    @property
    def version(self) -> int:
        """The position, under the name that eventsourcing's repository uses."""
        return self.position

    @property
    def publication(self) -> Publication:
        """The names with which everybody may read the lists now: as the newest one says."""
        return self.lists[-1].publication

    def list_of(self, number: int) -> PublishedList:
        """Return the list of this number. Raises ``Unknown``."""
        for one in self.lists:
            if one.number == number:
                return one
        raise Unknown("rating_list", number)


def fold_event(lists: RatingLists | None, recorded: Recorded) -> RatingLists:
    """Return the lists after one more event. Raises ``DataIntegrityError`` if the first event cannot be read; total otherwise."""
    event, position, last = recorded.event, recorded.position, recorded.state
    if lists is None:
        if not isinstance(event, RatingsPublished):
            raise DataIntegrityError(recorded.stream, position, "the first rating list cannot be read")
        lists = RatingLists(recorded.stream, position, last, event.ruleset, bound=recorded.link is not None)
    if not isinstance(event, RatingsPublished):
        return replace(lists, position=position, last=last)
    known = (event.to, event.minimum_games, event.publication, len(event.lines), event.digest)
    return replace(lists, position=position, last=last, lists=(*lists.lists, PublishedList(position, recorded.stamp.at, *known)))


def project(lists: RatingLists | None, history: Iterable[Recorded]) -> RatingLists | None:
    """Fold a whole history, or continue; ``None`` where there is no event, or the events are not those of rating lists."""
    for recorded in history:
        if lists is None and not isinstance(recorded.event, RatingsPublished | Unreadable):
            return None
        lists = fold_event(lists, recorded)
    return lists


RATING_LISTS = AggregateType("rating_list", RatingLists, project)


def list_rating(place: int, player: str, rating: Rating) -> ListedRating:
    """Return the line of a player."""
    return ListedRating(place, player, rating.points, rating.error, rating.games)


def digest_lines(lines: Iterable[ListedRating]) -> str:
    """Return the SHA-256 in hexadecimal of the lines, each a JSON array of its fields and a newline."""
    return sha256(b"".join(msgspec.json.encode(astuple(one)) + b"\n" for one in lines)).hexdigest()


def publish_ratings(
    before: RatingLists | None,
    ruleset: str,
    to: datetime,
    minimum_games: int,
    publication: Publication,
    lines: Sequence[ListedRating],
    now: datetime,
) -> RatingsPublished:
    """Return the publication of a list. Raises ``Refused``."""
    if to > now:
        raise Refused("ratings_of_the_future")
    if not lines:
        raise Refused("ratings_of_nobody")
    if len(lines) > LONGEST:
        raise Refused("ratings_too_many", players=len(lines), most=LONGEST)
    last = before.lists[-1] if before else None
    if last and to < last.to:
        raise Refused("ratings_go_back", number=last.number)
    event = RatingsPublished(ruleset, to, minimum_games, publication, PARAMETERS, digest_lines(lines), tuple(lines))
    if last and (last.to, last.minimum_games, last.publication, last.digest) == (to, minimum_games, publication, event.digest):
        raise Refused("ratings_so_already", number=last.number)
    return event


def lines_in(recorded: Recorded) -> Sequence[ListedRating]:
    """Return the lines of the list that an event publishes; none of another event."""
    return recorded.event.lines if isinstance(recorded.event, RatingsPublished) else ()


class RatingMove(Struct, frozen=True):
    """A player in two lists; ``before`` is ``None`` for a newcomer, ``after`` for somebody who is in the later one no more."""

    player: str
    before: ListedRating | None
    after: ListedRating | None

    @property
    def is_move(self) -> bool:
        """Return whether place, rating, uncertainty or games differ."""
        return (
            self.before is None
            or self.after is None
            or astuple(self.before)[2:] != astuple(self.after)[2:]
            or self.before.place != self.after.place
        )


def compare_lists(before: Iterable[ListedRating], after: Iterable[ListedRating], person_of: Callable[[str], str]) -> Iterator[RatingMove]:
    """Yield all players of two lists by person, in the order of the later one, then those who are in it no more.

    Of ids that were merged since, the best line stands for the person.
    """
    earlier, later = _by_person(before, person_of), _by_person(after, person_of)
    yield from (RatingMove(one.player, earlier.get(person), one) for person, one in later.items())
    yield from (RatingMove(one.player, one, None) for person, one in earlier.items() if person not in later)


def _by_person(lines: Iterable[ListedRating], person_of: Callable[[str], str]) -> dict[str, ListedRating]:
    found: dict[str, ListedRating] = {}
    for one in lines:
        found.setdefault(person_of(one.player), one)
    return found
