"""The directory without names: who is registered, in which club, and which ids are one person."""

from domain.events import Recorded
from domain.events.player import PlayerErased, PlayerEvent, PlayerMerged, PlayerRegistered, PlayerSeparated, PlayerTransferred
from projections.engine.projection import Batch, Projection
from projections.engine.store import Params, Tx
from projections.values import microseconds, storable

_TABLES: dict[str, tuple[str, ...]] = {
    "players": (
        """CREATE TABLE players (
    stream TEXT PRIMARY KEY,
    player TEXT NOT NULL UNIQUE,
    registered BIGINT NOT NULL UNIQUE,
    registered_at BIGINT NOT NULL,
    club TEXT,
    merged_into TEXT,
    root TEXT NOT NULL,
    erased INTEGER NOT NULL,
    position BIGINT NOT NULL,
    sequence BIGINT NOT NULL
)""",
        "CREATE INDEX players_club ON players (club, registered)",
        "CREATE INDEX players_root ON players (root)",
        "CREATE INDEX players_merged_into ON players (merged_into)",
    )
}
COLUMNS = "player, registered, registered_at, club, merged_into, root, erased, position, sequence"
_REGISTER = f"INSERT INTO players (stream, {COLUMNS}) VALUES (?, ?, ?, ?, ?, NULL, ?, 0, ?, ?) ON CONFLICT DO NOTHING"
_GO_ON = "UPDATE players SET position = ?, sequence = ? WHERE stream = ?"
_TRANSFER = "UPDATE players SET club = ? WHERE stream = ?"
_MERGE = "UPDATE players SET merged_into = ? WHERE stream = ?"
_ERASE = "UPDATE players SET erased = 1 WHERE stream = ?"
_ROOT = "SELECT root FROM players WHERE player = ?"
_SELF = "SELECT player FROM players WHERE stream = ?"
# UNION and not UNION ALL: damaged history may hold a circle, and this ends there all the same.
_REROOT = """UPDATE players SET root = ? WHERE player IN (
    WITH RECURSIVE under (player) AS (
        SELECT player FROM players WHERE stream = ?
        UNION SELECT players.player FROM players JOIN under ON players.merged_into = under.player
    ) SELECT player FROM under)"""


def _apply(tx: Tx, batch: Batch) -> None:
    """Registrations one after another, as in a list of members, are written together."""
    registered: list[Params] = []
    for sequence, recorded in batch:
        if isinstance(recorded.event, PlayerRegistered):
            registered.append(_registered(sequence, recorded, recorded.event))
        elif isinstance(recorded.event, PlayerEvent):
            # The registrations so far first: this event may be about one of them.
            tx.run_many(_REGISTER, registered)
            registered = []
            _follow(tx, sequence, recorded)
    tx.run_many(_REGISTER, registered)


def _registered(sequence: int, recorded: Recorded, event: PlayerRegistered) -> Params:
    player = storable(event.player)
    place = (sequence, microseconds(recorded.stamp.at), storable(event.club))
    return (str(recorded.stream), player, *place, player, recorded.position, sequence)


def _follow(tx: Tx, sequence: int, recorded: Recorded) -> None:
    stream = str(recorded.stream)
    match recorded.event:
        case PlayerTransferred(club=club):
            tx.run(_TRANSFER, (storable(club), stream))
        case PlayerMerged(into=into):
            _merge(tx, stream, storable(into))
        case PlayerSeparated():
            _merge(tx, stream, None)
        case PlayerErased():
            tx.run(_ERASE, (stream,))
        case _:
            pass
    tx.run(_GO_ON, (recorded.position, sequence, stream))


def _merge(tx: Tx, stream: str, into: str | None) -> None:
    """Ids that were merged into this one get the new root, too."""
    tx.run(_MERGE, (into, stream))
    found = tx.query(_SELF, (stream,)) if into is None else tx.query(_ROOT, (into,))
    for (root,) in found:
        tx.run(_REROOT, (root, stream))


PLAYERS = Projection("players", 1, _TABLES, _apply, known="SELECT stream, position FROM players", plain_moves=False)
