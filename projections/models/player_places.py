"""Appearances of each player id: on which seat of a game and since which position, and as which entrant of a tournament."""

from collections.abc import Collection, Iterable
from uuid import UUID

from msgspec import Struct

from domain.events import Recorded
from domain.events.game import GameOpened, PlayersCorrected, PlayerSeated
from domain.events.tournament import EntryAccepted, EntryChanged, EntryCorrected, TournamentAnnounced
from projections.engine.store import Batch, Params, Projection, Store, Transaction, placeholders
from projections.values import to_stored_value

_TABLES: dict[str, tuple[str, ...]] = {
    "player_seats": (
        """CREATE TABLE player_seats (
    player TEXT NOT NULL,
    game TEXT NOT NULL,
    position BIGINT NOT NULL,
    seat INTEGER NOT NULL,
    PRIMARY KEY (player, game, position, seat)
)""",
        "CREATE INDEX player_seats_game ON player_seats (game, player)",
    ),
    "player_entries": (
        """CREATE TABLE player_entries (
    player TEXT NOT NULL,
    stream TEXT NOT NULL,
    position BIGINT NOT NULL,
    entrant BIGINT NOT NULL,
    from_round BIGINT NOT NULL,
    PRIMARY KEY (player, stream, position, entrant)
)""",
        "CREATE INDEX player_entries_stream ON player_entries (stream, player)",
    ),
    "entry_tournaments": ("CREATE TABLE entry_tournaments (stream TEXT PRIMARY KEY, tournament TEXT NOT NULL)",),
}
_SEAT = "INSERT INTO player_seats (player, game, position, seat) VALUES (?, ?, ?, ?)"
_TOURNAMENT = "INSERT INTO entry_tournaments (stream, tournament) VALUES (?, ?) ON CONFLICT DO NOTHING"
_ENTRY = "INSERT INTO player_entries (player, stream, position, entrant, from_round) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"


class PlayerSeat(Struct, frozen=True):
    """A seat of a player. ``position`` is that of the event that seated them."""

    player: str
    game: UUID
    position: int
    seat: int


class PlayerEntry(Struct, frozen=True):
    """An entry of a player. ``tournament`` is the id that its games carry, ``position`` that of the event that named the player for the
    entrant. Of a tournament whose announcement cannot be read it is the id of its events.
    """

    player: str
    tournament: str
    position: int
    entrant: int
    from_round: int


def seats_of(store: Store, players: Collection[str]) -> tuple[PlayerSeat, ...]:
    """Return the seats in the order of the games' ids."""
    chosen = placeholders(len(players))
    sql = f"SELECT player, game, position, seat FROM player_seats WHERE player IN ({chosen}) ORDER BY game, position, seat"
    return tuple(PlayerSeat(player, UUID(game), *place) for player, game, *place in store.query(sql, tuple(map(to_stored_value, players))))


def entries_of(store: Store, players: Collection[str]) -> tuple[PlayerEntry, ...]:
    """Return the entries in the order of the tournaments' ids."""
    sql = (
        "SELECT player, COALESCE(tournament, e.stream), position, entrant, from_round"
        " FROM player_entries AS e LEFT JOIN entry_tournaments AS t ON t.stream = e.stream"
        f" WHERE player IN ({placeholders(len(players))}) ORDER BY 2, position"
    )
    return tuple(PlayerEntry(*row) for row in store.query(sql, tuple(map(to_stored_value, players))))


def entries_in(store: Store, tournaments: Collection[str]) -> tuple[PlayerEntry, ...]:
    """Return all entries of these tournaments, in the order in which they were made."""
    sql = (
        "SELECT player, position, entrant, from_round FROM entry_tournaments AS t JOIN player_entries AS e ON e.stream = t.stream"
        " WHERE tournament = ? ORDER BY position"
    )
    rows = ((one, row) for one in sorted(tournaments) for row in store.query(sql, (to_stored_value(one),)))
    return tuple(PlayerEntry(player, one, *place) for one, (player, *place) in rows)


def _apply(tx: Transaction, batch: Batch) -> None:
    tx.run_many(_SEAT, [row for _, recorded in batch for row in _seats(recorded)])
    tx.run_many(_TOURNAMENT, [row for _, recorded in batch for row in _rows_of_announcement(recorded)])
    tx.run_many(_ENTRY, [row for _, recorded in batch for row in _entries(recorded)])


def _seats(recorded: Recorded) -> Iterable[Params]:
    match recorded.event:
        case GameOpened(players=players) | PlayersCorrected(players=players):
            seated = enumerate(players)
        case PlayerSeated(seat=seat, player=player):
            seated = iter([(seat, player)])
        case _:
            return ()
    return [(to_stored_value(player), str(recorded.stream), recorded.position, seat) for seat, player in seated if player is not None]


def _rows_of_announcement(recorded: Recorded) -> Iterable[Params]:
    match recorded.event:
        case TournamentAnnounced(tournament=tournament):
            return [(str(recorded.stream), to_stored_value(tournament))]
        case _:
            return ()


def _entries(recorded: Recorded) -> Iterable[Params]:
    match recorded.event:
        case (
            EntryAccepted(entrant=entrant, players=players, from_round=from_round)
            | EntryChanged(entrant=entrant, players=players, from_round=from_round)
        ):
            return _rows_of_entry(recorded, entrant, players, from_round)
        case EntryCorrected(line_ups=line_ups):
            return [row for one in line_ups for row in _rows_of_entry(recorded, one.entrant, one.players, one.from_round)]
        case _:
            return ()


def _rows_of_entry(recorded: Recorded, entrant: int, players: Iterable[str], from_round: int) -> list[Params]:
    place = (str(recorded.stream), recorded.position, to_stored_value(entrant), to_stored_value(from_round))
    return [(to_stored_value(player), *place) for player in players]


_KNOWN = (
    "SELECT game, MAX(position) FROM player_seats GROUP BY game"
    " UNION ALL SELECT stream, COALESCE(MAX(position), 1) FROM entry_tournaments LEFT JOIN player_entries USING (stream) GROUP BY stream"
)

APPEARANCES = Projection(name="appearances", version=4, tables=_TABLES, apply=_apply, known=_KNOWN, plain_moves=False)
