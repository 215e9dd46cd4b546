"""The SQL of the registers of commands, refs, tokens and texts, once for both databases."""

from typing import Any
from uuid import UUID, uuid4

import msgspec

from deploy.stores.statements import FORGET_FINGERPRINTS, Statements
from domain.access.grants import UNBOUND, Grant
from domain.free_texts import SaltedText
from domain.journal.commits import StoredCommand
from domain.journal.refs import Ref
from domain.journal.registers import Token

_COMMAND = "SELECT fingerprint, game, first, last, sequence, at FROM commands WHERE principal = ? AND key = ?"
_REF = "SELECT game FROM refs WHERE digest = ? AND copy = ?"
_TRIAL = "INSERT INTO commands (principal, key, fingerprint, game, first, last, sequence) VALUES ('', ?, '', ?, 0, 0, 0)"
_UNDO_TRIAL = "DELETE FROM commands WHERE principal = '' AND key = ?"
_TOKEN = "SELECT id, hash, principal, role, label, issued_at, revoked_at, bounds, expires_at, issued_by, used_at FROM tokens"

_ISSUE = """
INSERT INTO tokens (id, hash, principal, role, label, issued_at, revoked_at, bounds, expires_at, issued_by, used_at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""


def _token_row(token: Token) -> tuple[object, ...]:
    bounds = None if token.grant == UNBOUND else msgspec.json.encode(token.grant).decode()
    return tuple(bounds if value is token.grant else value for value in msgspec.structs.astuple(token))


def _token(row: tuple[Any, ...]) -> Token:
    known = dict(zip(Token.__struct_fields__, row, strict=True))
    grant = UNBOUND if known["grant"] is None else msgspec.json.decode(known["grant"], type=Grant)
    return Token(**{**known, "grant": grant})


class RegistersSql(Statements):
    """As ``Registers`` wants it."""

    def find_command(self, principal: str, key: str) -> StoredCommand | None:
        for fingerprint, game, first, last, sequence, at in self.query(_COMMAND, (principal, key)):
            return StoredCommand(principal, key, fingerprint, self.from_column(game), first, last, sequence, at)
        return None

    def forget_commands(self, before: str) -> int:
        return self.change("DELETE FROM commands WHERE at < ?", (before,))

    def find_ref(self, ref: Ref) -> UUID | None:
        return next((self.from_column(game) for (game,) in self.query(_REF, (ref.digest, ref.copy))), None)

    def try_writing(self) -> None:
        game = uuid4()  # also the key, so that no trial waits for another's
        self.change_together((_TRIAL, (game.hex, self.to_column(game))), (_UNDO_TRIAL, (game.hex,)))

    def add_token(self, token: Token) -> None:
        self.change(_ISSUE, _token_row(token))

    def find_token(self, hash: str) -> Token | None:
        return next((_token(row) for row in self.query(f"{_TOKEN} WHERE hash = ?", (hash,))), None)

    def list_tokens(self) -> list[Token]:
        return [_token(row) for row in self.query(f"{_TOKEN} ORDER BY issued_at, id")]

    def revoke_token(self, id: str, at: str) -> bool:
        return self.change("UPDATE tokens SET revoked_at = coalesce(revoked_at, ?) WHERE id = ?", (at, id)) == 1

    def text(self, id: str) -> str | None:
        found = self.find_text(id)
        return found.body if found else None

    def find_text(self, id: str) -> SaltedText | None:
        return next((SaltedText(*row) for row in self.query("SELECT body, salt FROM texts WHERE id = ? AND body IS NOT NULL", (id,))), None)

    def erase_text(self, id: str, stream: UUID, position: int) -> bool:
        # The fingerprint first and always: an erasure that broke off is asked for again.
        self.change(f"{FORGET_FINGERPRINTS} AND first <= ? AND last >= ?", (self.to_column(stream), position, position))
        return self.change("UPDATE texts SET body = NULL, salt = NULL WHERE id = ? AND body IS NOT NULL", (id,)) == 1
