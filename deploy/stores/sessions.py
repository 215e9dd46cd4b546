"""SQL of the register of browser sessions, join codes and access tokens, shared by both databases."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import msgspec

from deploy.stores.statements import Statements, placeholders
from domain.access import UNBOUND, Grant
from domain.journal.commits import CommandKey
from domain.journal.registers import Duplicate
from domain.journal.sessions import JoinCode, Session, Token

_CODE = (
    "id, hash, role, bounds, label, issued_at, issued_by, until_at, until_round, many, token, giver_token, giver_code,"
    " lasting, devices, withdrawn_at"
)
_SESSION = "id, hash, principal, role, bounds, label, began_at, ends_at, used_at, token, code, until_round, ended_at"
# The time when a code or one of its ancestors was withdrawn; {code} is the column of its id.
_LINE = """
(WITH RECURSIVE line(giver_code, withdrawn_at) AS (
    SELECT one.giver_code, one.withdrawn_at FROM join_codes one WHERE one.id = {code}
    UNION SELECT one.giver_code, one.withdrawn_at FROM join_codes one JOIN line ON one.id = line.giver_code
) SELECT min(line.withdrawn_at) FROM line)
"""
# The end of a parent (token or code) is joined in, so that ending it needs no further writes.
_CODES = f"""
SELECT join_codes.id, join_codes.hash, join_codes.role, join_codes.bounds, join_codes.label, join_codes.issued_at, join_codes.issued_by,
    CASE WHEN until_at IS NULL OR tokens.expires_at < until_at THEN coalesce(tokens.expires_at, until_at) ELSE until_at END,
    until_round, many, token, giver_token, giver_code, lasting, devices, coalesce({_LINE.format(code="join_codes.id")}, revoked_at)
FROM join_codes LEFT JOIN tokens ON tokens.id = coalesce(token, giver_token)
"""
_SESSIONS = f"""
SELECT sessions.id, sessions.hash, sessions.principal, sessions.role, sessions.bounds, sessions.label, began_at,
    CASE WHEN tokens.expires_at < ends_at THEN tokens.expires_at ELSE ends_at END,
    sessions.used_at, token, code, until_round, coalesce(ended_at, {_LINE.format(code="sessions.code")}, revoked_at), tokens.expires_at,
    place, coalesce((SELECT lasting FROM join_codes WHERE join_codes.id = sessions.code), 0)
FROM sessions LEFT JOIN tokens ON tokens.id = sessions.token
"""
_FREE_PLACES = "UPDATE sessions SET place = NULL WHERE code = ? AND ends_at <= ?"
_UNUSED = "NOT EXISTS (SELECT 1 FROM sessions WHERE redeemed = join_codes.id)"


def _bounds(grant: Grant) -> str | None:
    return None if grant == UNBOUND else msgspec.json.encode(grant).decode()


def _grant(bounds: str | None) -> Grant:
    return UNBOUND if bounds is None else msgspec.json.decode(bounds, type=Grant)


def _row(kept: JoinCode | Session, columns: str) -> list[Any]:
    values = msgspec.structs.asdict(kept) | {"bounds": _bounds(kept.grant)}
    return [int(value) if isinstance(value, bool) else value for value in map(values.get, columns.split(", "))]


def _code(row: tuple[Any, ...]) -> JoinCode:
    known = dict(zip(JoinCode.__struct_fields__, row, strict=True))
    return JoinCode(**known | {"grant": _grant(known["grant"]), "many": bool(known["many"]), "lasting": bool(known["lasting"])})


def _session(row: tuple[Any, ...]) -> Session:
    known = dict(zip(Session.__struct_fields__, row, strict=True))
    return Session(**known | {"grant": _grant(known["grant"]), "lasting": bool(known["lasting"])})


class SessionsSql(Statements):
    """Implementation of ``SessionRegister``."""

    def add_code(self, code: JoinCode, command: CommandKey | None = None) -> None:
        values = _row(code, _CODE)
        self.change(f"INSERT INTO join_codes ({_CODE}) VALUES ({placeholders(values)})", values, *self.key_of(command, code.id))

    def find_code(self, hash: str) -> JoinCode | None:
        return next(map(_code, self.query(f"{_CODES} WHERE join_codes.hash = ?", (hash,))), None)

    def code_of(self, id: str) -> JoinCode | None:
        return next(map(_code, self.query(f"{_CODES} WHERE join_codes.id = ?", (id,))), None)

    def list_codes(self, at: str) -> list[JoinCode]:
        found = self.query(f"{_CODES} WHERE withdrawn_at IS NULL AND {_UNUSED} ORDER BY join_codes.issued_at, join_codes.id")
        return [one for one in map(_code, found) if one.withdrawn_at is None and (one.until_at is None or one.until_at > at)]

    def withdraw_code(self, id: str, at: str, command: CommandKey | None = None) -> bool:
        sql = "UPDATE join_codes SET withdrawn_at = coalesce(withdrawn_at, ?) WHERE id = ?"
        return self.change(sql, (at, id), *self.key_of(command)) == 1

    def begin_session(self, session: Session, *, redeems: JoinCode | None = None) -> None:
        if redeems is None or redeems.devices is None:
            self._insert(session, "redeemed", None if redeems is None or redeems.many else redeems.id)
        else:
            self._take_place(session, redeems.devices)

    def _take_place(self, session: Session, devices: int) -> None:
        """Begin the session at the first free place of its code. The unique index decides among simultaneous requests."""
        self.change(_FREE_PLACES, (session.code, session.began_at))
        for place in range(1, devices):
            with suppress(Duplicate):
                self._insert(session, "place", place)
                return
        self._insert(session, "place", devices)

    def _insert(self, session: Session, column: str, value: object) -> None:
        values = [*_row(session, _SESSION), value]
        self.change(f"INSERT INTO sessions ({_SESSION}, {column}) VALUES ({placeholders(values)})", values)

    def find_session(self, hash: str) -> Session | None:
        return next(map(_session, self.query(f"{_SESSIONS} WHERE sessions.hash = ?", (hash,))), None)

    def session_of(self, id: str) -> Session | None:
        return next(map(_session, self.query(f"{_SESSIONS} WHERE sessions.id = ?", (id,))), None)

    def list_sessions(self, at: str) -> list[Session]:
        found = self.query(f"{_SESSIONS} WHERE ended_at IS NULL AND ends_at > ? ORDER BY began_at, sessions.id", (at,))
        return [one for one in map(_session, found) if one.ended_at is None and one.ends_at > at]

    def use_session(self, id: str, at: str) -> None:
        self.change("UPDATE sessions SET used_at = ? WHERE id = ? AND used_at < ?", (at, id, at))

    def end_session(self, id: str, at: str, command: CommandKey | None = None) -> bool:
        sql = "UPDATE sessions SET ended_at = coalesce(ended_at, ?), place = NULL WHERE id = ?"
        return self.change(sql, (at, id), *self.key_of(command)) == 1


# The SQL of the register of tokens, once for both databases.


_COLUMNS = "id, hash, principal, role, label, issued_at, revoked_at, bounds, expires_at, issued_by, used_at"
_SELECT = f"SELECT {_COLUMNS} FROM tokens"
_ISSUE = f"INSERT INTO tokens ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_END = "UPDATE tokens SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL"
_RUN_OUT = "UPDATE tokens SET expires_at = ? WHERE id = ? AND revoked_at IS NULL"
_USED = "UPDATE tokens SET used_at = ? WHERE id = ? AND (used_at IS NULL OR used_at < ?)"


def _token_row(token: Token) -> tuple[object, ...]:
    bounds = None if token.grant == UNBOUND else msgspec.json.encode(token.grant).decode()
    return tuple(bounds if value is token.grant else value for value in msgspec.structs.astuple(token))


def _token(row: tuple[Any, ...]) -> Token:
    known = dict(zip(Token.__struct_fields__, row, strict=True))
    known["grant"] = UNBOUND if known["grant"] is None else msgspec.json.decode(known["grant"], type=Grant)
    return Token(**known)


class TokensSql(Statements):
    """Implementation of ``TokenRegister``."""

    def add_token(self, token: Token, command: CommandKey | None = None) -> None:
        self.change(_ISSUE, _token_row(token), *self.key_of(command, token.id))

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
        return self.change(end, (time, old.id), (_ISSUE, _token_row(new)), *self.key_of(command, new.id)) == 1

    def note_uses(self, uses: Sequence[tuple[str, str]]) -> None:
        self.derive(_USED, [(minute, id, minute) for id, minute in sorted(uses)])
