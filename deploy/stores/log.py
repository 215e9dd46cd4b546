"""The SQL of the register of the log, once for both databases."""

from deploy.stores.statements import Statements
from domain.journal.log.register import BlindingKey, LogEpoch

_EPOCHS = "SELECT number, origin, key, store, forked, began_at FROM log_epochs ORDER BY number"
_BEGIN = "INSERT INTO log_epochs (number, origin, key, store, forked, began_at) VALUES (?, ?, ?, ?, ?, ?)"
_BLIND = "INSERT INTO log_blinding (epoch, leaf, key) VALUES (?, ?, ?)"
_BLINDING = "SELECT epoch, leaf, key FROM log_blinding WHERE epoch = ? ORDER BY leaf"
_KEYS = "SELECT key FROM log_keys ORDER BY since, key"
_KEEP = "INSERT INTO log_keys (key, since) VALUES (?, ?) ON CONFLICT (key) DO NOTHING"


class LogSql(Statements):
    """As ``LogRegister`` wants it."""

    def log_epochs(self) -> list[LogEpoch]:
        return [LogEpoch(*row) for row in self.query(_EPOCHS)]

    def begin_log(self, epoch: LogEpoch, blinding: bytes) -> None:
        self.change_together((_BEGIN, epoch), (_BLIND, (epoch.number, 0, blinding)))

    def blinding_keys(self, epoch: int) -> list[BlindingKey]:
        return [BlindingKey(number, leaf, bytes(key)) for number, leaf, key in self.query(_BLINDING, (epoch,))]

    def told_keys(self) -> list[str]:
        return [key for (key,) in self.query(_KEYS)]

    def keep_told_key(self, key: str, since: str) -> None:
        self.change(_KEEP, (key, since))
