"""Players of the directory, page by page: all, or those who are searched for. To be called in a thread."""

from collections.abc import Iterator
from itertools import islice

from msgspec import Struct

from api.common.names import Audience
from api.http.errors import BadRequest, say
from api.players.directory import player_views
from api.players.responses import Players
from domain.access.reach import Reach
from domain.journal.registers import Registers
from projections.engine.store import Store
from projections.models.cursors import cursor_of, text_place_of
from projections.models.players.player_list import PlayerFilters, PlayerRow, matching_ids, players_page, rows_of

_STEP = 200  # people looked at first; each time twice as many, so that few looks are taken where few of those found fit
_FEW = 500  # so many ids may be named in a search


class PlayerSearch(Struct, frozen=True):
    """All that is given must hold."""

    filters: PlayerFilters
    words: str | None = None


def players_found(
    registers: Registers, store: Store, reach: Reach, search: PlayerSearch, cursor: str | None, limit: int, audience: Audience
) -> Players:
    """Raises ``BadRequest`` for words without a letter, and ``BadCursor``."""
    if search.words is not None:
        rows, next = _found(
            registers, store, search.words, matching_ids(store, reach, search.filters), cursor, limit, not audience.sees_all
        )
    else:
        page = players_page(store, reach, search.filters, cursor, limit)
        rows, next = list(page.players), page.next
    return Players(players=player_views(registers, rows, audience), next=next)


def _found(
    registers: Registers, store: Store, words: str, fit: frozenset[str] | None, cursor: str | None, limit: int, public: bool
) -> tuple[list[PlayerRow], str | None]:
    found = list(islice(_matching(registers, words, fit, cursor, public), limit + 1))
    page = found[:limit]
    known = rows_of(store, page)
    return [known[player] for player in page if player in known], cursor_of(page[-1]) if len(found) > limit else None


def _matching(registers: Registers, words: str, fit: frozenset[str] | None, cursor: str | None, public: bool) -> Iterator[str]:
    """The ids of those who are searched for, in order. Names lie in one database and clubs in another, so ``fit`` names those of the
    second who come into question: the search is for them alone if they are few, else they are picked from what it finds."""
    among = fit if fit is not None and len(fit) <= _FEW else None
    after, step, more = text_place_of(cursor) if cursor else "", _STEP, True
    while more:
        try:
            found = registers.search_people(words, after=after, limit=step, public=public, among=among)
        except ValueError as error:
            raise BadRequest("bad_parameter", say("search_empty"), "search") from error
        yield from (person.player for person in found if fit is None or person.player in fit)
        more, after, step = len(found) == step, found[-1].player if found else after, step * 2
