"""Other keys for the log that goes on: the old one and the new one sign together that the new one signs from then on.

Each key is made while the tree is held: so it counts from a leaf on that no keeper has entered yet.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from secrets import token_bytes

from deploy.log.keeper.epochs import own_state
from deploy.log.keeper.key_files import SEED
from deploy.log.keeper.signed_file import SignedFile
from domain.journal.log.own import ROTATED
from domain.journal.log.register import BlindingKey, LogEpoch, LogRegister, OwnEntry
from domain.journal.registers import stamp
from replay.proof.log import LogTree
from replay.proof.notes import Signer


class NotWhole(Exception):
    """The tree is behind what was signed: it is being made anew, or its store was set back."""


def rotated_note(origin: str, old: Signer, new: Signer) -> str:
    """What both keys sign."""
    text = f"kiebitz-rotated/1\n{origin}\n{old.key}\n{new.key}\n"
    return f"{text}\n{old.line(text)}{new.line(text)}"


def rotate(register: LogRegister, tree: LogTree, signed: SignedFile, old: Signer, new: Signer, now: datetime) -> LogEpoch:
    """The new key comes into the place of the old one, of the same name. Raises ``NotWhole``."""
    with _next_leaf(register, tree, signed) as (epoch, leaf):
        position = len(register.own_entries(epoch.number)) + 1
        state = own_state({"note": rotated_note(epoch.origin, old, new)}, now)
        signs = str(old.key) == epoch.key
        register.rotate_log(OwnEntry(epoch.number, leaf, position, ROTATED, state), str(new.key), stamp(now), signs=signs)
    return register.log_epochs()[-1]


def blind_anew(register: LogRegister, tree: LogTree, signed: SignedFile, chance: Callable[[int], bytes] = token_bytes) -> int:
    """The leaf from which on another key blinds what is committed to. Raises ``NotWhole``."""
    with _next_leaf(register, tree, signed) as (epoch, leaf):
        register.blind_anew(BlindingKey(epoch.number, leaf, chance(SEED)))
    return leaf


@contextmanager
def _next_leaf(register: LogRegister, tree: LogTree, signed: SignedFile) -> Iterator[tuple[LogEpoch, int]]:
    [*_, epoch] = register.log_epochs()
    then = signed.checkpoint()
    if tree.head() is None:
        raise NotWhole
    with tree.held() as held:
        head = held.head
        least = then.size if then is not None and then.origin == epoch.origin else 0
        if head is None or head.epoch != epoch.number or head.size < least:
            raise NotWhole
        taken = [own.leaf for own in register.own_entries(epoch.number)] + [key.leaf for key in register.blinding_keys(epoch.number)]
        yield epoch, max(head.size, *(leaf + 1 for leaf in taken))
