"""What the process that keeps the log is told first, and what the server knows of it."""

from msgspec import Struct

from deploy.logs.lines import LogFormat
from projections.engine.drive import Reached
from replay.proof.named_witnesses import NamedWitness

KEEPING = "deploy.log.keeper.main"


class KeeperWork(Struct, frozen=True):
    """Where the databases are, and the files of the key and of what was signed last."""

    journal_url: str
    log_url: str
    key: str
    signed: str
    log_format: LogFormat = "text"
    witnesses: tuple[NamedWitness, ...] = ()


class Watched:
    """The keeper as the server sees it, which waits for nothing of it: as ``Follower``."""

    awaited = False

    def take(self, reached: Reached) -> bool:
        return False
