"""The case book: all rulings of all games, so that like cases can be decided alike. No names; reasons are ids of texts."""

from datetime import datetime
from typing import Any
from uuid import UUID

from msgspec import Struct

from domain.access import VisibilityScope
from domain.events import Recorded
from domain.events.game import Decision, DisputeRaised, DisputeRuled, GameOpened, Instance, OrderLifted
from projections.engine.projection import Batch, Projection
from projections.engine.store import Store, Transaction
from projections.models.hidden_until_over import public_condition
from projections.models.reading import latest_first, struct_of
from projections.models.visibility_scope import games_within
from projections.values import as_json, microseconds

_TABLES = {
    "case_games": ("CREATE TABLE case_games (game TEXT PRIMARY KEY, ruleset TEXT NOT NULL)",),
    "case_disputes": (
        "CREATE TABLE case_disputes (game TEXT NOT NULL, number BIGINT NOT NULL, disputed BIGINT NOT NULL, PRIMARY KEY (game, number))",
    ),
    "rulings": (
        """CREATE TABLE rulings (
    sequence BIGINT PRIMARY KEY,
    game TEXT NOT NULL,
    ruling BIGINT NOT NULL,
    position BIGINT NOT NULL,
    at BIGINT NOT NULL,
    ruleset TEXT NOT NULL,
    dispute BIGINT,
    disputed BIGINT,
    instance TEXT NOT NULL,
    decision TEXT NOT NULL,
    rules TEXT NOT NULL,
    reason TEXT,
    lifted_by BIGINT
)""",
        "CREATE INDEX rulings_ruleset ON rulings (ruleset, sequence)",
        "CREATE INDEX rulings_game ON rulings (game, sequence)",
    ),
}
_GAME = "INSERT INTO case_games (game, ruleset) VALUES (?, ?) ON CONFLICT (game) DO NOTHING"
_DISPUTE = "INSERT INTO case_disputes (game, number, disputed) VALUES (?, ?, ?) ON CONFLICT (game, number) DO NOTHING"
_RULING = (
    "INSERT INTO rulings (sequence, game, ruling, position, at, ruleset, dispute, disputed, instance, decision, rules, reason)"
    " SELECT ?, ?, ?, ?, ?, ruleset, ?, (SELECT disputed FROM case_disputes WHERE game = ? AND number = ?), ?, ?, ?, ?"
    " FROM case_games WHERE game = ?"
)
_LIFTED = "UPDATE rulings SET lifted_by = ? WHERE game = ? AND ruling = ?"
_SELECT = (
    "SELECT sequence, game, ruling, position, at, ruleset, dispute, disputed, instance, decision, rules, reason, lifted_by"
    " FROM rulings WHERE TRUE"
)


class RulingCase(Struct, frozen=True):
    """A ruling. ``position`` is that of its event, ``disputed`` the one in dispute; ``reason`` is the id of a text.

    ``lifted_by``: the ruling of the committee that overturned it.
    """

    sequence: int
    game: UUID
    ruling: int
    position: int
    at: datetime
    ruleset: str
    dispute: int | None
    disputed: int | None
    instance: Instance
    decision: Decision
    rules: tuple[str, ...]
    reason: str | None
    lifted_by: int | None


class RulingFilters(Struct, frozen=True):
    ruleset: str | None = None
    game: str | None = None
    decision: str | None = None
    instance: str | None = None
    rule: str | None = None


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
        **public_condition("rulings.game", public=public),
        "decision = ?": filters.decision,
        "instance = ?": filters.instance,
        # The column holds a JSON list; with its quotation marks the number cannot match within another one.
        "rules LIKE ?": filters.rule and f'%"{filters.rule}"%',
        **games_within(reach, "rulings.game"),
    }
    rows, next = latest_first(store, _SELECT, "sequence", conditions, cursor, limit, 0)
    return RulingsPage(tuple(struct_of(RulingCase, row, ("rules",), ("at",)) for row in rows), next)


def _apply(tx: Transaction, batch: Batch) -> None:
    opened, raised = [], []
    for _, recorded in batch:
        event = recorded.event
        if isinstance(event, GameOpened):
            opened.append((str(recorded.stream), event.setup.ruleset))
        elif isinstance(event, DisputeRaised):
            raised.append((str(recorded.stream), event.number, event.position))
    tx.run_many(_GAME, opened)
    tx.run_many(_DISPUTE, raised)
    tx.run_many(_RULING, [_ruling(sequence, recorded) for sequence, recorded in batch if isinstance(recorded.event, DisputeRuled)])
    lifted = [(str(recorded.stream), recorded.event) for _, recorded in batch if isinstance(recorded.event, OrderLifted)]
    tx.run_many(_LIFTED, [(event.ruling, game, event.lifted) for game, event in lifted])


def _ruling(sequence: int, recorded: Recorded) -> tuple[Any, ...]:
    event, game = recorded.event, str(recorded.stream)
    assert isinstance(event, DisputeRuled)
    place = (sequence, game, event.ruling, recorded.position, microseconds(recorded.stamp.at), event.dispute, game, event.dispute)
    reason = event.reason.id if event.reason else None
    return (*place, event.instance, event.decision, as_json(event.rules), reason, game)


_KNOWN = "SELECT game, COALESCE(MAX(position), 1) FROM case_games LEFT JOIN rulings USING (game) GROUP BY game"

RULINGS = Projection(name="rulings", version=2, tables=_TABLES, apply=_apply, known=_KNOWN, plain_moves=False)
