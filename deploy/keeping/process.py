"""What the process that keeps the log is told first, and what the server knows of it."""

from msgspec import Struct

from deploy.system.log_lines import LogFormat
from replay.proof.named_witnesses import NamedWitness

KEEPING = "deploy.keeping_worker"


class KeeperWork(Struct, frozen=True):
    """Where the databases are, and the files of the key and of what was signed last."""

    journal_url: str
    log_url: str
    key: str
    signed: str
    log_format: LogFormat = "text"
    witnesses: tuple[NamedWitness, ...] = ()
