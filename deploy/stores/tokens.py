"""The SQL of the register of tokens, once for both databases."""

from collections.abc import Sequence
from typing import Any

import msgspec

from deploy.stores.statements import Statements
from domain.access.grants import UNBOUND, Grant
from domain.journal.commits import CommandKey
from domain.journal.tokens import Token

_COLUMNS = "id, hash, principal, role, label, issued_at, revoked_at, bounds, expires_at, issued_by, used_at"
_SELECT = f"SELECT {_COLUMNS} FROM tokens"
_ISSUE = f"INSERT INTO tokens ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_END = "UPDATE tokens SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL"
_RUN_OUT = "UPDATE tokens SET expires_at = ? WHERE id = ? AND revoked_at IS NULL"
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
        self.change(_ISSUE, _row(token), *self.key_of(command, token.id))

    def find_token(self, hash: str) -> Token | None:
        return next((_token(row) for row in self.query(f"{_SELECT} WHERE hash = ?", (hash,))), None)

    def token_of(self, id: str) -> Token | None:
        return next((_token(row) for row in self.query(f"{_SELECT} WHERE id = ?", (id,))), None)

    def list_tokens(self) -> list[Token]:
        return [_token(row) for row in self.query(f"{_SELECT} ORDER BY issued_at, id")]

    def revoke_token(self, id: str, at: str, command: CommandKey | None = None) -> bool:
        sql = "UPDATE tokens SET revoked_at = coalesce(revoked_at, ?) WHERE id = ?"
        return self.change(sql, (at, id), *self.key_of(command)) == 1

    def rotate_token(self, old: Token, new: Token, at: str, *, ends_at: str | None, command: CommandKey | None = None) -> bool:
        end, time = (_END, at) if ends_at is None else (_RUN_OUT, ends_at)
        return self.change(end, (time, old.id), (_ISSUE, _row(new)), *self.key_of(command, new.id)) == 1

    def note_uses(self, uses: Sequence[tuple[str, str]]) -> None:
        self.derive(_USED, [(minute, id, minute) for id, minute in sorted(uses)])
