"""For which player and club score lines count: mergers and clubs, from the events of the directory."""

from collections.abc import Iterable
from functools import cache

from domain.events import Event, Recorded
from domain.events.player import PlayerMerged, PlayerRegistered, PlayerSeparated, PlayerTransferred
from domain.tournament.games import PersonOf
from projections.engine.store import Tx, rows_among
from projections.models.score_lines.tables import move_blocks
from projections.values import storable

NO_CLUB = ""

TABLES = {
    "score_people": (
        "CREATE TABLE score_people (player TEXT PRIMARY KEY, stream TEXT NOT NULL, club TEXT NOT NULL, merged TEXT, root TEXT NOT NULL)",
        "CREATE INDEX score_people_root ON score_people (root)",
        "CREATE INDEX score_people_stream ON score_people (stream)",
    ),
}
_REGISTER = (
    "INSERT INTO score_people (player, stream, club, merged, root) VALUES (?, ?, ?, NULL, ?)"
    " ON CONFLICT (player) DO UPDATE SET stream = excluded.stream, club = excluded.club"
)
_ROOTS = (
    "SELECT p.player, p.root, COALESCE(r.club, '') FROM score_people AS p LEFT JOIN score_people AS r ON r.player = p.root"
    " WHERE p.player IN"
)
_GROUP = "SELECT player FROM score_people WHERE root = ? UNION SELECT player FROM score_people WHERE player = ? ORDER BY player"


def counts_for(tx: Tx, players: Iterable[str]) -> dict[str, tuple[str, str]]:
    """The player for whom the lines of each count, and that one's club. A player who is not registered counts for himself."""
    distinct = tuple(dict.fromkeys(players))
    known = {row[0]: (row[1], row[2]) for row in rows_among(tx, _ROOTS, distinct)}
    return {player: known.get(player, (player, NO_CLUB)) for player in distinct}


def person_of(tx: Tx) -> PersonOf:
    """From an id to the one it counts under, as it is now."""
    return cache(lambda player: counts_for(tx, [storable(player)])[storable(player)][0])


def group_of(tx: Tx, recorded: Recorded) -> list[str]:
    """The ids that count for the same person as the one that the event is about; none for one that is not registered."""
    roots = tx.query("SELECT root FROM score_people WHERE stream = ?", (str(recorded.stream),))
    return [one for (root,) in roots for (one,) in tx.query(_GROUP, (root, root))]


def apply_event(tx: Tx, sequence: int, recorded: Recorded) -> set[int]:
    """Applies an event of the directory. Returns the openings of the games whose lines count for another player or club from now on."""
    event = recorded.event
    if isinstance(event, PlayerRegistered):
        player = storable(event.player)
        before = counts_for(tx, [player])[player]
        tx.run(_REGISTER, (player, str(recorded.stream), storable(event.club) or NO_CLUB, player))
        return _count_anew(tx, sequence, player, *before)
    if not isinstance(event, PlayerTransferred | PlayerMerged | PlayerSeparated):
        return set()
    for (player,) in tx.query("SELECT player FROM score_people WHERE stream = ?", (str(recorded.stream),)):
        before = counts_for(tx, [player])[player]
        _note(tx, player, event)
        return _count_anew(tx, sequence, player, *before)
    return set()


def _note(tx: Tx, player: str, event: Event) -> None:
    match event:
        case PlayerTransferred(club=club):
            tx.run("UPDATE score_people SET club = ? WHERE player = ?", (storable(club) or NO_CLUB, player))
        case PlayerMerged(into=into):
            tx.run("UPDATE score_people SET merged = ? WHERE player = ?", (storable(into), player))
        case PlayerSeparated():
            tx.run("UPDATE score_people SET merged = NULL WHERE player = ?", (player,))


def _count_anew(tx: Tx, sequence: int, player: str, root: str, club: str) -> set[int]:
    """Moves the lines of the player, and of all who counted for the same root, if they count for another player or club now."""
    merged: dict[str, str] = dict(tx.query("SELECT player, merged FROM score_people WHERE merged IS NOT NULL"))
    group = [one for (one,) in tx.query(_GROUP, (root, player))]
    tx.run_many("UPDATE score_people SET root = ? WHERE player = ?", [(_root(merged, one), one) for one in group])
    after: dict[tuple[str, str], list[str]] = {}
    for one, counts in counts_for(tx, group).items():
        after.setdefault(counts, []).append(one)
    moved: set[int] = set()
    for counts, some in after.items():
        if counts != (root, club):
            moved |= move_blocks(tx, sequence, root, some, *counts)
    return moved


def _root(merged: dict[str, str], player: str) -> str:
    """The last player of a chain of mergers. A circle (damaged history) ends where it would begin again."""
    seen = {player}
    while player in merged and merged[player] not in seen:
        player = merged[player]
        seen.add(player)
    return player
