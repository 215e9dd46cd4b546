"""The SQL of the register of looks, once for both databases."""

from collections.abc import Collection, Sequence
from typing import Any
from uuid import UUID

from deploy.stores.statements import Statements, placeholders
from domain.journal.looks import Look, LookPlace

_KEEP = "INSERT INTO looks (minute, game, view, principal, tournament) VALUES "
_ROW = "(?, ?, ?, ?, ?)"
_SELECT = "SELECT minute, game, view, principal, tournament FROM looks WHERE "
_ORDER = " ORDER BY minute DESC, game DESC, view DESC, principal DESC"
_MOST = 500  # rows in a statement


class LooksSql(Statements):
    """As ``Registers`` wants it."""

    def keep_looks(self, looks: Sequence[Look]) -> None:
        # In one order everywhere: two processes that write the same lines would else wait for each other.
        ordered = sorted(set(looks), key=lambda look: (look.game, look.minute, look.view, look.principal))
        for start in range(0, len(ordered), _MOST):
            rows = [value for look in ordered[start : start + _MOST] for value in self._row(look)]
            self.change(f"{_KEEP}{', '.join([_ROW] * (len(rows) // 5))} ON CONFLICT DO NOTHING", rows)

    def list_looks(
        self, *, game: UUID | None = None, tournament: str | None = None, before: LookPlace | None = None, limit: int | None = None
    ) -> list[Look]:
        of, value = ("tournament = ?", tournament) if game is None else ("game = ?", self.to_column(game))
        values: list[Any] = [value]
        if before is not None:
            of += " AND (minute, game, view, principal) < (?, ?, ?, ?)"
            values += [before[0], self.to_column(before[1]), *before[2:]]
        some = "" if limit is None else f" LIMIT {int(limit)}"
        return self._looks(f"{_SELECT}{of}{_ORDER}{some}", values)

    def looks_by(self, principals: Collection[str]) -> list[Look]:
        return self._looks(f"{_SELECT}principal IN ({placeholders(principals)}){_ORDER}", list(principals)) if principals else []

    def erase_looks(self, principals: Collection[str]) -> int:
        return self.change(f"DELETE FROM looks WHERE principal IN ({placeholders(principals)})", list(principals)) if principals else 0

    def forget_looks(self, before: str) -> int:
        return self.change("DELETE FROM looks WHERE minute < ?", (before,))

    def _looks(self, sql: str, values: Sequence[Any]) -> list[Look]:
        rows = self.query(sql, values)
        return [Look(minute, self.from_column(game), view, principal, of) for minute, game, view, principal, of in rows]

    def _row(self, look: Look) -> tuple[Any, ...]:
        return (look.minute, self.to_column(look.game), look.view, look.principal, look.tournament)
