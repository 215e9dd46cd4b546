"""Query helpers of all projections: SQL conditions, also of a caller's visibility scope; pages with the newest first, rows as Structs.

They query projections beside the one that is listed: which tournaments are published, where a game belongs, and where players appear. For a
reach of everything there are none.
"""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Collection, Mapping, Sequence
from typing import Any, TypeAlias, TypeVar

import msgspec

from domain.access import VisibilityScope
from domain.errors import BadCursor
from projections.engine.store import Row, Store
from projections.values import to_datetime, to_stored_value

# Cursors of lists: a place in the order of a list, opaque to callers, so that the order may change.


def cursor_of(place: str | int) -> str:
    return urlsafe_b64encode(str(place).encode()).decode().rstrip("=")


def text_place_of(cursor: str) -> str:
    """Return the place in an order of texts. Raises ``BadCursor``."""
    try:
        place = urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode()
    except ValueError:
        place = "\0"
    # Base64 can spell the same place in several ways; only the cursor that was given out is taken.
    if "\0" in place or cursor_of(place) != cursor:
        raise BadCursor
    return place


def place_of(cursor: str) -> int:
    """Return the place in an order of sequences. Raises ``BadCursor``."""
    place = text_place_of(cursor)
    if not (place.isascii() and place.isdigit() and len(place) < 20 and int(place) < 2**63):
        raise BadCursor
    return int(place)


T = TypeVar("T", bound=msgspec.Struct)


def where(conditions: Mapping[str, object]) -> tuple[str, list[Any]]:
    """Return an ``AND …`` for each condition with a value, and the values: of a condition with several placeholders a tuple."""
    given = {condition: value for condition, value in conditions.items() if value is not None}
    values = [one for value in given.values() for one in (value if isinstance(value, tuple) else (value,))]
    return "".join(f" AND {condition}" for condition in given), values


def latest_first(
    store: Store, select: str, order: str, conditions: Mapping[str, object], cursor: str | None, limit: int, place: int
) -> tuple[list[Row], str | None]:
    """Return a page of rows, and the cursor of the next one. ``order`` is a column of sequences, the row's ``place``-th.

    Pages neither skip nor repeat a row, also while more are written: a cursor stands for a place in the order. Raises ``BadCursor``.
    """
    more, values = where({**conditions, f"{order} < ?": None if cursor is None else place_of(cursor)})
    # One row more than asked for, to know whether there is a next page.
    rows = store.query(f"{select}{more} ORDER BY {order} DESC LIMIT ?", (*values, limit + 1))
    return rows[:limit], cursor_of(rows[limit - 1][place]) if len(rows) > limit else None


def struct_of(type: type[T], row: Row, json: Collection[str] = (), moments: Collection[str] = (), flags: Collection[str] = ()) -> T:
    """Return the row as a Struct. The columns stand in the order of the fields; some are kept as JSON, as microseconds, or as 0 and 1."""
    values = dict(zip(type.__struct_fields__, row, strict=True))
    for column in json:
        values[column] = values[column] and msgspec.json.decode(values[column])
    for column in moments:
        values[column] = None if values[column] is None else to_datetime(values[column])
    for column in flags:
        values[column] = bool(values[column])
    return msgspec.convert(values, type)


# SQL conditions that keep a list within a caller's reach.


Conditions: TypeAlias = Mapping[str, Sequence[Any]]
"""Conditions with the values of their placeholders, for ``where``."""

_TOURNAMENTS = "SELECT CAST(? AS TEXT) UNION ALL SELECT tournament FROM tournament_index WHERE publication <> 'no'"
"""The caller's own tournament, ``NULL`` for none, and those that are published."""
_OPENED = f"SELECT opened FROM game_index WHERE tournament IN ({_TOURNAMENTS}) UNION ALL SELECT opened FROM game_index WHERE game = ?"
_SCORED = f"SELECT opened FROM score_games WHERE tournament IN ({_TOURNAMENTS}) UNION ALL SELECT opened FROM game_index WHERE game = ?"
# Players who sat at a table or were entered, and the ids that they count for.
_MET = (
    "WITH met (player) AS ("
    f"SELECT s.player FROM game_index AS g JOIN player_seats AS s ON s.game = g.game WHERE g.opened IN ({_OPENED})"
    " UNION SELECT e.player FROM entry_tournaments AS t JOIN player_entries AS e ON e.stream = t.stream"
    f" WHERE t.tournament IN ({_TOURNAMENTS})"
    ") SELECT player FROM met UNION SELECT p.root FROM met JOIN players AS p ON p.player = met.player"
)


def tournaments_within(reach: VisibilityScope, tournament: str) -> Conditions:
    """Return the condition on the column that holds the id of a tournament."""
    return {} if reach.whole else {f"{tournament} IN ({_TOURNAMENTS})": (_own(reach),)}


def build_opened_condition(reach: VisibilityScope, opened: str) -> Conditions:
    """Return the condition on the column that holds the sequence of a game's opening: the order in which games are listed."""
    return {} if reach.whole else {f"{opened} IN ({_OPENED})": _either(reach)}


def scores_within(reach: VisibilityScope, opened: str) -> Conditions:
    """Return the same for games on whose sheets something stands, and for tables whose result was entered."""
    return {} if reach.whole else {f"{opened} IN ({_SCORED})": _either(reach)}


def games_within(reach: VisibilityScope, game: str) -> Conditions:
    """Return the condition on the column that holds the id of a game, where rows are fewer than games."""
    if reach.whole:
        return {}
    belongs = f"(r.tournament IN ({_TOURNAMENTS}) OR r.game = ?)"
    return {f"EXISTS (SELECT 1 FROM game_index AS r WHERE r.game = {game} AND {belongs})": _either(reach)}


def players_within(reach: VisibilityScope, player: str) -> Conditions:
    """Return the condition on the column that holds the id of a player: those who appear, and those for whom these count after mergers."""
    return {} if reach.whole else {f"{player} IN ({_MET})": (*_either(reach), _own(reach))}


def filter_tournaments(store: Store, reach: VisibilityScope, ids: Collection[str]) -> frozenset[str]:
    """Return those of the tournaments within a reach that is not of everything."""
    return _filter_ids(store, _TOURNAMENTS, (_own(reach),), ids)


def filter_players(store: Store, reach: VisibilityScope, ids: Collection[str]) -> frozenset[str]:
    """Return those of the players who appear within a reach that is not of everything, or for whom these count."""
    return _filter_ids(store, _MET, (*_either(reach), _own(reach)), ids)


def _filter_ids(store: Store, within: str, values: Sequence[Any], ids: Collection[str]) -> frozenset[str]:
    if not ids:
        return frozenset()
    kept = {to_stored_value(id): id for id in ids}
    found = {row[0] for row in store.query(within, values)}
    return frozenset(id for stored, id in kept.items() if stored in found)


def _own(reach: VisibilityScope) -> Any:
    return to_stored_value(reach.tournament)


def _either(reach: VisibilityScope) -> tuple[Any, ...]:
    return (_own(reach), None if reach.game is None else str(reach.game))


# SQL conditions for dark games (in progress and not live): lists for the public show only that they are on.


def is_hidden_until_over(row: str) -> str:
    """Return the condition for a dark game. ``row``: the name of the row of the index in the statement."""
    return f"({row}.live = 0 AND {row}.disclosed = 0 AND {row}.phase <> 'game_over' AND {row}.standing IN ('open', 'suspended'))"


def public_condition(game: str, *, public: bool) -> Mapping[str, object]:
    """Return the condition on a column with the id of a game: the public sees nothing of a game that is dark, or not in the index yet."""
    lit = f"EXISTS (SELECT 1 FROM game_index AS lit WHERE lit.game = {game} AND NOT {is_hidden_until_over('lit')} AND ? = 1)"
    return {lit: 1 if public else None}
