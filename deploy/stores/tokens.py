"""The SQL of the register of tokens, once for both databases."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

import msgspec

from deploy.stores.statements import Statements
from domain.access.grants import UNBOUND, Grant
from domain.journal.commits import CommandKey
from domain.journal.tokens import Token

_COLUMNS = "id, hash, principal, role, label, issued_at, revoked_at, bounds, expires_at, issued_by, used_at"
_SELECT = f"SELECT {_COLUMNS} FROM tokens"
_ISSUE = f"INSERT INTO tokens ({_COLUMNS}) SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?"
_KEY = "INSERT INTO commands (principal, key, fingerprint, game, first, last, sequence) SELECT ?, ?, ?, ?, 0, 0, 0"
_HOLD = "UPDATE tokens SET revoked_at = revoked_at WHERE id = ?"
"""So that nobody revokes it before the transaction is over."""
_IF_GOOD = " WHERE EXISTS (SELECT 1 FROM tokens WHERE id = ? AND revoked_at IS NULL)"
_IF_ISSUED = " WHERE EXISTS (SELECT 1 FROM tokens WHERE hash = ?)"
_END = "UPDATE tokens SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL"
_RUN_OUT = "UPDATE tokens SET expires_at = ? WHERE id = ? AND revoked_at IS NULL"
_UNDER = "SELECT fingerprint, game, first FROM commands WHERE principal = ? AND key = ?"
_USED = "UPDATE tokens SET used_at = ? WHERE id = ? AND (used_at IS NULL OR used_at < ?)"


def _row(token: Token) -> tuple[object, ...]:
    bounds = None if token.grant == UNBOUND else msgspec.json.encode(token.grant).decode()
    return tuple(bounds if value is token.grant else value for value in msgspec.structs.astuple(token))


def _token(row: tuple[Any, ...]) -> Token:
    known = dict(zip(Token.__struct_fields__, row, strict=True))
    grant = UNBOUND if known["grant"] is None else msgspec.json.decode(known["grant"], type=Grant)
    return Token(**{**known, "grant": grant})


class TokensSql(Statements):
    """As ``TokenRegister`` wants it."""

    def add_token(self, token: Token, command: CommandKey | None = None) -> None:
        self.change_together((_ISSUE, _row(token)), *self._under(command, token))

    def find_token(self, hash: str) -> Token | None:
        return next((_token(row) for row in self.query(f"{_SELECT} WHERE hash = ?", (hash,))), None)

    def token_of(self, id: str) -> Token | None:
        return next((_token(row) for row in self.query(f"{_SELECT} WHERE id = ?", (id,))), None)

    def token_under(self, principal: str, key: str) -> tuple[str, str] | None:
        for fingerprint, game, first in self.query(_UNDER, (principal, key)):
            return fingerprint, "" if first else f"{self.from_column(game).int:08x}"
        return None

    def list_tokens(self) -> list[Token]:
        return [_token(row) for row in self.query(f"{_SELECT} ORDER BY issued_at, id")]

    def revoke_token(self, id: str, at: str) -> bool:
        return self.change("UPDATE tokens SET revoked_at = coalesce(revoked_at, ?) WHERE id = ?", (at, id)) == 1

    def rotate_token(self, old: Token, new: Token, at: str, *, ends_at: str | None, command: CommandKey | None = None) -> bool:
        ending = (_END, (at, old.id)) if ends_at is None else (_RUN_OUT, (ends_at, old.id))
        self.change_together((_HOLD, (old.id,)), (f"{_ISSUE}{_IF_GOOD}", (*_row(new), old.id)), *self._under(command, new), ending)
        return self.find_token(new.hash) is not None

    def note_uses(self, uses: Sequence[tuple[str, str]]) -> None:
        self.derive(_USED, [(minute, id, minute) for id, minute in sorted(uses)])

    def _under(self, command: CommandKey | None, token: Token) -> list[tuple[str, Sequence[object]]]:
        """Keeps the key; the id of the token stands where those of games do, before their first event."""
        if command is None:
            return []
        values = (command.principal, command.key, command.fingerprint, self.to_column(UUID(int=int(token.id, 16))), token.hash)
        return [(f"{_KEY}{_IF_ISSUED}", values)]
