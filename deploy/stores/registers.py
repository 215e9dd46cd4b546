"""The SQL of the registers of commands, refs and texts, once for both databases."""

from uuid import UUID, uuid4

from deploy.stores.statements import FORGET_FINGERPRINTS, Statements
from domain.free_texts import SaltedText
from domain.journal.commits import CommandKey, StoredCommand
from domain.journal.refs import Ref

_COMMAND = "SELECT fingerprint, game, first, last, sequence, at FROM commands WHERE principal = ? AND key = ?"
_REF = "SELECT game FROM refs WHERE digest = ? AND copy = ?"
_TRIAL = "INSERT INTO commands (principal, key, fingerprint, game, first, last, sequence) VALUES ('', ?, '', ?, 0, 0, 0)"
_UNDO_TRIAL = "DELETE FROM commands WHERE principal = '' AND key = ?"


class RegistersSql(Statements):
    """As ``Registers`` wants it."""

    def find_command(self, principal: str, key: str) -> StoredCommand | None:
        for fingerprint, game, first, last, sequence, at in self.query(_COMMAND, (principal, key)):
            return StoredCommand(principal, key, fingerprint, self.from_column(game), first, last, sequence, at)
        return None

    def keep_command(self, command: CommandKey) -> None:
        self.change_together(*self.key_of(command))

    def forget_commands(self, before: str) -> int:
        return self.change("DELETE FROM commands WHERE at < ?", (before,))

    def find_ref(self, ref: Ref) -> UUID | None:
        return next((self.from_column(game) for (game,) in self.query(_REF, (ref.digest, ref.copy))), None)

    def try_writing(self) -> None:
        game = uuid4()  # also the key, so that no trial waits for another's
        self.change_together((_TRIAL, (game.hex, self.to_column(game))), (_UNDO_TRIAL, (game.hex,)))

    def text(self, id: str) -> str | None:
        found = self.find_text(id)
        return found.body if found else None

    def find_text(self, id: str) -> SaltedText | None:
        return next((SaltedText(*row) for row in self.query("SELECT body, salt FROM texts WHERE id = ? AND body IS NOT NULL", (id,))), None)

    def has_text(self, id: str) -> bool:
        return bool(self.query("SELECT 1 FROM texts WHERE id = ?", (id,)))

    def erase_text(self, id: str, stream: UUID, position: int, command: CommandKey | None = None) -> bool:
        # The fingerprint first and always: an erasure that broke off is asked for again.
        self.change(f"{FORGET_FINGERPRINTS} AND first <= ? AND last >= ?", (self.to_column(stream), position, position))
        sql = "UPDATE texts SET body = NULL, salt = NULL WHERE id = ? AND body IS NOT NULL"
        return self.change(sql, (id,), *self.key_of(command)) == 1
