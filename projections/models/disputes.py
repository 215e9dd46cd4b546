"""Disputes of all games in one list, with their stages and tables. Claims are ids of texts."""

from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from msgspec import Struct

from domain.access import VisibilityScope
from domain.dispute import Stage
from domain.events import Recorded
from domain.events.game import DisputeAppealed, DisputeRaised, DisputeRuled, DisputeWithdrawn, GameOpened, GameResumed, MovePlayed
from projections.engine.store import Batch, Projection, Store, Transaction, placeholders
from projections.models.reading import games_within, latest_first, public_condition, struct_of
from projections.values import microseconds, to_stored_value

_TABLES: dict[str, tuple[str, ...]] = {
    "dispute_games": (
        """CREATE TABLE dispute_games (
    game TEXT PRIMARY KEY,
    ruleset TEXT NOT NULL,
    tournament TEXT,
    round BIGINT,
    table_name TEXT
)""",
    ),
    "disputes": (
        """CREATE TABLE disputes (
    sequence BIGINT PRIMARY KEY,
    game TEXT NOT NULL,
    number BIGINT NOT NULL,
    raised_at BIGINT NOT NULL,
    at BIGINT NOT NULL,
    raised_by TEXT NOT NULL,
    position BIGINT NOT NULL,
    seat BIGINT,
    claim TEXT,
    suspends INTEGER NOT NULL,
    stage TEXT NOT NULL,
    changed BIGINT NOT NULL
)""",
        "CREATE INDEX disputes_stage ON disputes (stage, sequence)",
        "CREATE INDEX disputes_game ON disputes (game, number)",
    ),
}
_GAME = "INSERT INTO dispute_games (game, ruleset, tournament, round, table_name) VALUES (?, ?, ?, ?, ?) ON CONFLICT (game) DO NOTHING"
_RAISED = (
    "INSERT INTO disputes (sequence, game, number, raised_at, at, raised_by, position, seat, claim, suspends, stage, changed)"
    f" VALUES ({placeholders(10)}, 'open', ?)"
)
_STAGE = "UPDATE disputes SET stage = ?, changed = ? WHERE game = ? AND number = ?"
_APPEALED = "UPDATE disputes SET stage = 'appealed', suspends = ?, changed = ? WHERE game = ? AND number = ?"
_RESUMED = "UPDATE disputes SET suspends = 0, changed = ? WHERE game = ? AND suspends = 1"
_SELECT = (
    "SELECT d.sequence, d.game, d.number, g.ruleset, g.tournament, g.round, g.table_name, d.raised_at, d.at, d.raised_by, d.position,"
    " d.seat, d.claim, d.suspends, d.stage FROM disputes AS d JOIN dispute_games AS g ON g.game = d.game WHERE TRUE"
)
_UNDECIDED = "CASE WHEN d.stage IN ('open', 'appealed') THEN 1 ELSE 0 END = ?"


class DisputeFilters(Struct, frozen=True):
    """Filters of disputes; all that are given must hold. ``undecided``: open or appealed; ``changed_since``: the state."""

    undecided: bool | None = None
    state: Stage | None = None
    tournament: str | None = None
    round: int | None = None
    ruleset: str | None = None
    game: str | None = None
    changed_since: int | None = None
    table: str | None = None
    raised_from: datetime | None = None
    raised_to: datetime | None = None


class DisputeRow(Struct, frozen=True):
    """A dispute. ``raised_at`` is the position of the event, ``position`` the one in dispute; ``claim`` is the id of a text."""

    sequence: int
    game: UUID
    number: int
    ruleset: str
    tournament: str | None
    round: int | None
    table: str | None
    raised_at: int
    at: datetime
    by: str
    position: int
    seat: int | None
    claim: str | None
    suspends: bool
    state: Stage


class DisputesPage(Struct, frozen=True):
    """A page of disputes. ``next`` is the cursor of the following page, ``None`` on the last."""

    rows: tuple[DisputeRow, ...]
    next: str | None


def disputes_page(
    store: Store, reach: VisibilityScope, filters: DisputeFilters, cursor: str | None, limit: int, *, public: bool
) -> DisputesPage:
    """Return a page, newest first. ``public``: those of which everybody may know. Raises ``BadCursor``."""
    conditions = {
        _UNDECIDED: None if filters.undecided is None else int(filters.undecided),
        "d.stage = ?": filters.state,
        "g.tournament = ?": to_stored_value(filters.tournament),
        "g.round = ?": to_stored_value(filters.round),
        "g.ruleset = ?": to_stored_value(filters.ruleset),
        "d.game = ?": filters.game,
        "g.table_name = ?": to_stored_value(filters.table),
        "d.at >= ?": filters.raised_from and microseconds(filters.raised_from),
        "d.at < ?": filters.raised_to and microseconds(filters.raised_to),
        "d.changed > ?": filters.changed_since,
        **public_condition("d.game", public=public),
        **games_within(reach, "d.game"),
    }
    rows, next = latest_first(store, _SELECT, "d.sequence", conditions, cursor, limit, 0)
    return DisputesPage(tuple(struct_of(DisputeRow, row, moments=("at",), flags=("suspends",)) for row in rows), next)


class DisputedTable(NamedTuple):
    """A table of a round at which a dispute waits for its decision."""

    round: int
    table: str


_OPEN_IN = (
    "SELECT g.round, g.table_name FROM disputes AS d JOIN dispute_games AS g ON g.game = d.game"
    " LEFT JOIN game_index AS i ON i.game = d.game WHERE g.tournament = ? AND g.round IS NOT NULL AND g.table_name IS NOT NULL"
    " AND d.stage IN ('open', 'appealed') AND COALESCE(i.standing, 'open') <> 'annulled'"
)


def list_disputed_tables(store: Store, tournament: str, *, public: bool) -> tuple[DisputedTable, ...]:
    """Return the table of each undecided dispute in a tournament, by round; none of annulled games. ``public``: of those of which everybody
    may know.
    """
    conditions = {condition: value for condition, value in public_condition("d.game", public=public).items() if value is not None}
    where = "".join(f" AND {condition}" for condition in conditions)
    rows = store.query(f"{_OPEN_IN}{where} ORDER BY g.round, d.sequence", (to_stored_value(tournament), *conditions.values()))
    return tuple(DisputedTable(round, table) for round, table in rows)


def _apply(tx: Transaction, batch: Batch) -> None:
    opened = [(str(one.stream), one.event) for _, one in batch if isinstance(one.event, GameOpened) and one.position == 1]
    tx.run_many(
        _GAME,
        [(game, event.setup.ruleset, *map(to_stored_value, (event.tournament, event.round, event.table))) for game, event in opened],
    )
    for sequence, recorded in batch:
        if type(recorded.event) is not MovePlayed:
            _note(tx, sequence, recorded)


def _note(tx: Transaction, sequence: int, recorded: Recorded) -> None:
    """Apply one event at a time, in their order: few are about disputes."""
    game, event = str(recorded.stream), recorded.event
    match event:
        case DisputeRaised():
            claim, at = event.claim.id if event.claim else None, microseconds(recorded.stamp.at)
            raised = (
                recorded.position,
                at,
                to_stored_value(recorded.stamp.by),
                to_stored_value(event.position),
                to_stored_value(event.seat),
                claim,
            )
            tx.run(_RAISED, (sequence, game, to_stored_value(event.number), *raised, int(event.suspends), sequence))
        case DisputeRuled(dispute=number) if number is not None:
            tx.run(_STAGE, ("ruled", sequence, game, to_stored_value(number)))
        case DisputeAppealed(dispute=number):
            tx.run(_APPEALED, (int(event.suspends), sequence, game, to_stored_value(number)))
        case DisputeWithdrawn(dispute=number):
            tx.run(_STAGE, ("withdrawn", sequence, game, to_stored_value(number)))
        case GameResumed():
            tx.run(_RESUMED, (sequence, game))


_KNOWN = "SELECT g.game, COALESCE(MAX(d.raised_at), 1) FROM dispute_games AS g LEFT JOIN disputes AS d ON d.game = g.game GROUP BY g.game"

DISPUTES = Projection(name="disputes", version=1, tables=_TABLES, apply=_apply, known=_KNOWN, plain_moves=False)
