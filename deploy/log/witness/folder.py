"""The folder of a witness: its key, and what it has cosigned. They belong together: one that has forgotten would sign a second past."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from deploy.failures import Failure
from deploy.language import say
from deploy.log.witness.witness import Witness
from deploy.private import make_secret, private_folder, secret
from deploy.stores.witness import WitnessStore
from replay.proof.exact import Unproven
from replay.proof.notes import COSIGNATURE, Signer, VerifierKey, read_key
from replay.proof.witnessing import Evidence

_SEED = 32
_STORE, _KEY = "witness.db", "witness.key"


@contextmanager
def open_witness(
    folder: Path, name: str | None, logs: Sequence[VerifierKey], clock: Callable[[], float]
) -> Iterator[tuple[Witness, VerifierKey]]:
    """The witness and its verifier key, which are made where the folder holds none. ``name`` is needed the first time.

    Raises ``Failure`` where key, name and store do not belong together.
    """
    private_folder(folder)
    if (folder / _KEY).exists() and not (folder / _STORE).exists():
        raise Failure(say("witness_forgot", folder=folder), say("witness_anew"))
    with closing(WitnessStore(folder / _STORE)) as store:
        signer = _signer(folder, name, store)
        yield Witness(store, signer, logs, clock), signer.key


def evidence_in(folder: Path) -> list[Evidence]:
    """Raises ``Failure`` where no witness has its folder."""
    if not (folder / _STORE).exists():
        raise Failure(say("witness_none", folder=folder))
    with closing(WitnessStore(folder / _STORE)) as store:
        return store.evidence()


def _signer(folder: Path, name: str | None, store: WitnessStore) -> Signer:
    known = store.key()
    name = name or (known and read_key(known).name)
    if name is None:
        raise Failure(say("witness_needs_name"))
    _check_name(name)
    signer = Signer(name, _seed(folder / _KEY), COSIGNATURE)
    owner = store.named(str(signer.key))
    if owner != str(signer.key):
        raise Failure(say("witness_other_key", folder=folder, key=owner, other=signer.key), say("witness_anew"))
    return signer


def _check_name(name: str) -> None:
    try:
        read_key(str(VerifierKey(name, COSIGNATURE, bytes(_SEED))))
    except Unproven:
        raise Failure(say("witness_bad_name", name=name)) from None


def _seed(file: Path) -> bytes:
    if not file.exists():
        make_secret(file, secret(_SEED))
    try:
        seed = bytes.fromhex(file.read_text(encoding="ascii"))
    except ValueError:
        seed = b""
    if len(seed) != _SEED:
        raise Failure(say("witness_key_damaged", file=file), say("witness_anew"))
    return seed
