"""Checkpoints that somebody kept: the newest that was signed here, and those that come from elsewhere."""

from collections.abc import Sequence

from deploy.failures import Failure, system_problem
from deploy.keeping.holding import Kept
from deploy.keeping.keys import log_files, signed_file
from deploy.language import say
from deploy.settings import Settings
from domain.journal.log.register import LogRegister
from domain.texts import Saying
from replay.proof.checkpoints import read_checkpoint, verify_witnessed
from replay.proof.exact import Unproven
from replay.proof.log import LogTree
from replay.proof.notes import VerifierKey, read_key


def own_checkpoint(settings: Settings, register: LogRegister, tree: LogTree) -> Kept | None:
    """The newest that was signed: from the file beside the key, else as the tree was published.

    ``None`` where nothing was signed. Raises ``Failure``.
    """
    file, source = log_files(settings).signed, "log.signed"
    try:
        note = signed_file(settings).note()
        if note is None:
            head = tree.head()
            note, source = head.note if head is not None else None, "log.db"
        if note is None:
            return None
        return Kept(source, read_checkpoint(note)) if _is_foreign(note, register) else kept(source, note, _keys(register))
    except OSError as error:
        raise Failure(say("log_signed_damaged", file=file, problem=system_problem(error.errno))) from error
    except Unproven as unproven:
        raise Failure(say("log_signed_damaged", file=file, problem=why(unproven))) from unproven


def kept(source: str, note: str, keys: Sequence[VerifierKey]) -> Kept:
    """A checkpoint that these keys signed; a witness who is named has to have signed. Raises ``Unproven``."""
    return Kept(source, verify_witnessed(note, keys)[0])


def kept_elsewhere(source: str, note: str, keys: Sequence[VerifierKey], register: LogRegister) -> Kept:
    """The same by the keys that the store knows, where none were given. Raises ``Unproven``."""
    return kept(source, note, keys or _keys(register))


def why(unproven: Unproven) -> Saying:
    return say(f"verify.{unproven.fault}", where=unproven.where)


def _keys(register: LogRegister) -> list[VerifierKey]:
    return [read_key(key) for key in register.log_keys()]


def _is_foreign(note: str, register: LogRegister) -> bool:
    """Of a log of which the store knows nothing; no key is known for it."""
    return read_checkpoint(note).origin not in {epoch.origin for epoch in register.log_epochs()}
