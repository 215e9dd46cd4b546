"""Checkpoints that somebody kept: the newest that was signed here, and those that come from elsewhere."""

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from deploy.failures import system_problem
from deploy.language import say
from deploy.log.keeper.key_files import log_files, signed_file
from deploy.log.keeper.verification import Kept
from deploy.settings import Settings
from domain.journal.log.register import LogRegister
from domain.texts import Saying
from replay.proof.checkpoints import Checkpoint, read_checkpoint, verify_witnessed
from replay.proof.exact import Unproven
from replay.proof.files import told_key
from replay.proof.log import LogTree
from replay.proof.notes import VerifierKey, read_key


class Unusable(NamedTuple):
    """What should tell what was signed, and cannot: a file, the tree, or a row of the register."""

    source: str
    problem: Saying


def own_checkpoints(settings: Settings, register: LogRegister, tree: LogTree) -> tuple[list[Kept], list[Unusable]]:
    """The newest that was signed: from the file beside the key, else as the tree was published. And what of all this is unusable.

    What is of another log, or signed by nobody who is known here, does not keep the other source from being asked.
    """
    found, unusable = list[Kept](), [Unusable("log_keys", say("log_foreign_key", key=key)) for key in _foreign_keys(register)]
    for source, place, read in (
        ("log.signed", log_files(settings).signed, signed_file(settings).note),
        ("log.db", "log.db", partial(_published, tree)),
    ):
        try:
            note = read()
            one = _own(source, note, register) if note is not None else None
        except (OSError, Unproven) as error:
            problem = system_problem(error.errno) if isinstance(error, OSError) else _why_not_own(error)
            unusable.append(Unusable(source, say("log_signed_damaged", file=place, problem=problem)))
            continue
        if one is not None and one.checkpoint not in [other.checkpoint for other in found]:
            found.append(one)
        if one is not None and not _is_foreign(one.checkpoint, register):
            break
    return found, unusable


def _published(tree: LogTree) -> str | None:
    head = tree.head()
    return head.note if head is not None else None


def _own(source: str, note: str, register: LogRegister) -> Kept:
    """Raises ``Unproven``."""
    checkpoint = read_checkpoint(note)
    return Kept(source, checkpoint) if _is_foreign(checkpoint, register) else kept(source, note, _keys(register))


def kept(source: str, note: str, keys: Sequence[VerifierKey]) -> Kept:
    """A checkpoint that these keys signed; a witness who is named has to have signed. Raises ``Unproven``."""
    return Kept(source, verify_witnessed(note, keys)[0])


def kept_elsewhere(source: str, note: str, keys: Sequence[VerifierKey], register: LogRegister) -> Kept:
    """The same by the keys that the store knows, where none were given. Raises ``Unproven``."""
    return kept(source, note, keys or _keys(register))


def why(unproven: Unproven) -> Saying:
    return say(f"verify.{unproven.fault}", where=unproven.where)


def _why_not_own(unproven: Unproven) -> Saying:
    return say("log_signed_by_others") if unproven.fault == "key_unknown" else why(unproven)


def _keys(register: LogRegister) -> list[VerifierKey]:
    """Those that are keys: somebody may have put others there, and they sign nothing."""
    return [key for text in register.log_keys() if (key := _key(text)) is not None]


def _foreign_keys(register: LogRegister) -> list[str]:
    """Rows of the register that are no keys, or keys of no log of this store."""
    origins = [epoch.origin for epoch in register.log_epochs()]
    names = {*origins, *map(told_key, origins)}
    return [text for text in register.log_keys() if (key := _key(text)) is None or key.name not in names]


def _key(text: str) -> VerifierKey | None:
    try:
        return read_key(text)
    except Unproven:
        return None


def _is_foreign(checkpoint: Checkpoint, register: LogRegister) -> bool:
    """Of a log of which the store knows nothing; no key is known for it."""
    return checkpoint.origin not in {epoch.origin for epoch in register.log_epochs()}
