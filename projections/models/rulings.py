"""The case book: all rulings of all games, so that like cases can be decided alike. No names; reasons are ids of texts."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from msgspec import Struct

from domain.access import VisibilityScope
from domain.events import Recorded
from domain.events.game import Decision, DisputeRaised, DisputeRuled, GameOpened, Instance, OrderLifted, PointsAdjusted
from projections.engine.store import Batch, Params, Projection, Row, Store, Transaction, placeholders
from projections.models.reading import games_within, latest_first, public_condition, struct_of
from projections.values import as_json, microseconds

_TABLES: dict[str, tuple[str, ...]] = {
    "case_games": ("CREATE TABLE case_games (game TEXT PRIMARY KEY, ruleset TEXT NOT NULL, tournament TEXT)",),
    "case_disputes": (
        """CREATE TABLE case_disputes (
    game TEXT NOT NULL,
    number BIGINT NOT NULL,
    disputed BIGINT NOT NULL,
    claim TEXT,
    PRIMARY KEY (game, number)
)""",
    ),
    "case_points": (
        """CREATE TABLE case_points (
    sequence BIGINT PRIMARY KEY,
    game TEXT NOT NULL,
    ruling BIGINT NOT NULL,
    party BIGINT NOT NULL,
    points BIGINT NOT NULL
)""",
        "CREATE INDEX case_points_game ON case_points (game, ruling)",
    ),
    "rulings": (
        """CREATE TABLE rulings (
    sequence BIGINT PRIMARY KEY,
    game TEXT NOT NULL,
    ruling BIGINT NOT NULL,
    position BIGINT NOT NULL,
    at BIGINT NOT NULL,
    ruleset TEXT NOT NULL,
    tournament TEXT,
    dispute BIGINT,
    disputed BIGINT,
    claim TEXT,
    instance TEXT NOT NULL,
    decision TEXT NOT NULL,
    rules TEXT NOT NULL,
    reason TEXT,
    lifted_by BIGINT,
    changed BIGINT NOT NULL
)""",
        "CREATE INDEX rulings_ruleset ON rulings (ruleset, sequence)",
        "CREATE INDEX rulings_game ON rulings (game, sequence)",
    ),
}
_GAME = "INSERT INTO case_games (game, ruleset, tournament) VALUES (?, ?, ?) ON CONFLICT (game) DO NOTHING"
_DISPUTE = "INSERT INTO case_disputes (game, number, disputed, claim) VALUES (?, ?, ?, ?) ON CONFLICT (game, number) DO NOTHING"
_POINTS = "INSERT INTO case_points (sequence, game, ruling, party, points) VALUES (?, ?, ?, ?, ?)"
_RULING = (
    "INSERT INTO rulings (sequence, game, ruling, position, at, ruleset, tournament, dispute, disputed, claim, instance, decision, rules,"
    " reason, changed) SELECT ?, g.game, ?, ?, ?, g.ruleset, g.tournament, ?, d.disputed, d.claim, ?, ?, ?, ?, ? FROM case_games AS g"
    " LEFT JOIN case_disputes AS d ON d.game = g.game AND d.number = ? WHERE g.game = ?"
)
_LIFTED = "UPDATE rulings SET lifted_by = ?, changed = ? WHERE game = ? AND ruling = ?"
_SELECT = (
    "SELECT sequence, game, ruling, position, at, ruleset, tournament, dispute, disputed, claim, instance, decision, rules, reason,"
    " lifted_by FROM rulings WHERE TRUE"
)
_GIVEN = "SELECT game, ruling, party, SUM(points) FROM case_points"


class RulingCase(Struct, frozen=True):
    """A ruling. ``position`` is that of its event, ``disputed`` the one in dispute; ``claim`` and ``reason`` are ids of texts.

    ``lifted_by``: the ruling of the committee that overturned it. ``points``: those that it gave or took, by party.
    """

    sequence: int
    game: UUID
    ruling: int
    position: int
    at: datetime
    ruleset: str
    tournament: str | None
    dispute: int | None
    disputed: int | None
    claim: str | None
    instance: Instance
    decision: Decision
    rules: tuple[str, ...]
    reason: str | None
    lifted_by: int | None
    points: dict[int, int] = {}


class RulingFilters(Struct, frozen=True):
    """Conditions that must all hold; of ``rules`` one has to be cited. ``changed_since``: made or lifted after this sequence."""

    ruleset: str | None = None
    game: str | None = None
    tournament: str | None = None
    decision: str | None = None
    instance: str | None = None
    rules: tuple[str, ...] = ()
    from_: datetime | None = None
    to: datetime | None = None
    changed_since: int | None = None


class RulingsPage(Struct, frozen=True):
    """A page of rulings, newest first. ``next`` is the cursor of the following page, null on the last."""

    rulings: tuple[RulingCase, ...]
    next: str | None


def rulings_page(
    store: Store, reach: VisibilityScope, filters: RulingFilters, cursor: str | None, limit: int, *, public: bool
) -> RulingsPage:
    """Return a page of rulings. ``public``: those of which everybody may know. Raises ``BadCursor``."""
    conditions = {
        "ruleset = ?": filters.ruleset,
        "game = ?": filters.game,
        "tournament = ?": filters.tournament,
        **public_condition("rulings.game", public=public),
        "decision = ?": filters.decision,
        "instance = ?": filters.instance,
        "at >= ?": filters.from_ and microseconds(filters.from_),
        "at < ?": filters.to and microseconds(filters.to),
        "changed > ?": filters.changed_since,
        **_match_rules(filters.rules),
        **games_within(reach, "rulings.game"),
    }
    rows, next = latest_first(store, _SELECT, "sequence", conditions, cursor, limit, 0)
    given = _points_of(store, {row[1] for row in rows})
    return RulingsPage(tuple(_case(row, given.get((row[1], row[2]), {})) for row in rows), next)


def _match_rules(rules: Sequence[str]) -> Mapping[str, object]:
    """Return the condition that one of the rules is cited.

    The column holds a JSON list; with its quotation marks a number cannot match within another one.
    """
    return {f"({' OR '.join(['rules LIKE ?'] * len(rules))})": tuple(f'%"{rule}"%' for rule in rules)} if rules else {}


def _points_of(store: Store, games: Collection[str]) -> Mapping[tuple[str, int], dict[int, int]]:
    """Return the points that the rulings of these games gave or took, by game and ruling, then by party."""
    found: defaultdict[tuple[str, int], dict[int, int]] = defaultdict(dict)
    if games:
        sql = f"{_GIVEN} WHERE game IN ({placeholders(len(games))}) GROUP BY game, ruling, party"
        for game, ruling, party, points in store.query(sql, tuple(games)):
            found[game, ruling][party] = int(points)
    return found


def _case(row: Row, points: dict[int, int]) -> RulingCase:
    return struct_of(RulingCase, (*row, points), ("rules",), ("at",))


def _apply(tx: Transaction, batch: Batch) -> None:
    opened: list[Params] = []
    raised: list[Params] = []
    given: list[Params] = []
    for sequence, recorded in batch:
        event, game = recorded.event, str(recorded.stream)
        if isinstance(event, GameOpened):
            opened.append((game, event.setup.ruleset, event.tournament))
        elif isinstance(event, DisputeRaised):
            raised.append((game, event.number, event.position, event.claim and event.claim.id))
        elif isinstance(event, PointsAdjusted) and event.ruling is not None:
            given.append((sequence, game, event.ruling, event.party, event.points))
    tx.run_many(_GAME, opened)
    tx.run_many(_DISPUTE, raised)
    tx.run_many(_POINTS, given)
    tx.run_many(_RULING, [_ruling(sequence, recorded) for sequence, recorded in batch if isinstance(recorded.event, DisputeRuled)])
    lifted = [(sequence, str(one.stream), one.event) for sequence, one in batch if isinstance(one.event, OrderLifted)]
    tx.run_many(_LIFTED, [(event.ruling, sequence, game, event.lifted) for sequence, game, event in lifted])


def _ruling(sequence: int, recorded: Recorded) -> tuple[Any, ...]:
    event, game = recorded.event, str(recorded.stream)
    assert isinstance(event, DisputeRuled)
    place = (sequence, event.ruling, recorded.position, microseconds(recorded.stamp.at), event.dispute)
    reason = event.reason.id if event.reason else None
    return (*place, event.instance, event.decision, as_json(event.rules), reason, sequence, event.dispute, game)


_KNOWN = "SELECT game, COALESCE(MAX(position), 1) FROM case_games LEFT JOIN rulings USING (game) GROUP BY game"

RULINGS = Projection(name="rulings", version=4, tables=_TABLES, apply=_apply, known=_KNOWN, plain_moves=False)
