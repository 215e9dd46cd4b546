"""SQL of the register of the transparency log (epochs, keys, own entries), shared by both databases."""

from deploy.stores.statements import Statements
from domain.journal.log import BlindingKey, LogEpoch, OwnEntry

_EPOCHS = "SELECT number, origin, key, store, began_at FROM log_epochs ORDER BY number"
_BEGIN = "INSERT INTO log_epochs (number, origin, key, store, began_at) VALUES (?, ?, ?, ?, ?)"
_OWN = "SELECT epoch, leaf, position, name, state FROM log_entries WHERE epoch = ? ORDER BY leaf"
_ENTER = "INSERT INTO log_entries (epoch, leaf, position, name, state) VALUES (?, ?, ?, ?, ?)"
_SIGN = "UPDATE log_epochs SET key = ? WHERE number = ?"
_FOLLOW = "UPDATE log_epochs SET store = ? WHERE number = ?"
_BLIND = "INSERT INTO log_blinding (epoch, leaf, key) VALUES (?, ?, ?)"
_BLINDING = "SELECT epoch, leaf, key FROM log_blinding WHERE epoch = ? ORDER BY leaf"
_KEYS = "SELECT key FROM log_keys ORDER BY since, key"
_KEEP = "INSERT INTO log_keys (key, since) VALUES (?, ?) ON CONFLICT (key) DO NOTHING"


class LogSql(Statements):
    """Implementation of ``LogRegister``."""

    def log_epochs(self) -> list[LogEpoch]:
        return [LogEpoch(*row) for row in self.query(_EPOCHS)]

    def begin_log(self, epoch: LogEpoch, blinding: bytes, *first: OwnEntry) -> None:
        keys = (_BLIND, (epoch.number, 0, blinding)), (_KEEP, (epoch.key, epoch.began_at))
        self.change_together((_BEGIN, epoch), *keys, *((_ENTER, entry) for entry in first))

    def track_store(self, epoch: int, store: str) -> None:
        self.change(_FOLLOW, (store, epoch))

    def own_entries(self, epoch: int) -> list[OwnEntry]:
        return [OwnEntry(*row) for row in self.query(_OWN, (epoch,))]

    def rotate_log(self, entry: OwnEntry, key: str, since: str, *, signs: bool) -> None:
        self.change_together((_ENTER, entry), (_KEEP, (key, since)), *([(_SIGN, (key, entry.epoch))] if signs else []))

    def blinding_keys(self, epoch: int) -> list[BlindingKey]:
        return [BlindingKey(number, leaf, bytes(key)) for number, leaf, key in self.query(_BLINDING, (epoch,))]

    def add_key(self, key: BlindingKey) -> None:
        self.change_together((_BLIND, key))

    def log_keys(self) -> list[str]:
        return [key for (key,) in self.query(_KEYS)]

    def keep_log_key(self, key: str, since: str) -> None:
        self.change(_KEEP, (key, since))
