"""The SQL of the register of origins, once for both databases."""

from uuid import UUID

from deploy.stores.statements import FORGET_FINGERPRINTS, Statements
from domain.journal.commits import CommandKey
from domain.journal.refs import ForeignRef, Origin

_BY_REF = "SELECT game, digest FROM origins WHERE system = ? AND id = ?"
_ORIGIN = "SELECT system, id, digest, meta FROM origins WHERE game = ?"
_ERASE = "UPDATE origins SET meta = NULL WHERE game = ? AND meta IS NOT NULL"


class OriginsSql(Statements):
    """As ``Registers`` wants it."""

    def find_by_ref(self, ref: ForeignRef) -> tuple[UUID, str] | None:
        return next(((self.from_column(game), digest) for game, digest in self.query(_BY_REF, (ref.system, ref.id))), None)

    def find_origin(self, game: UUID) -> Origin | None:
        for system, id, digest, meta in self.query(_ORIGIN, (self.to_column(game),)):
            return Origin(None if system is None else ForeignRef(system, id), digest, meta)
        return None

    def erase_meta(self, game: UUID, command: CommandKey | None = None) -> bool:
        # The fingerprint first and always: an erasure that broke off is asked for again.
        self.change(f"{FORGET_FINGERPRINTS} AND first = 1", (self.to_column(game),))
        return self.change(_ERASE, (self.to_column(game),), *self.key_of(command)) == 1
