"""Command options for what a store is verified against: signed tree heads, keys and words."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import click

from deploy.compose import open_event_store
from deploy.config.failures import Failure, WrongCall, WrongValue, say, system_problem
from deploy.config.settings import Settings
from deploy.log.writer.verification import TrustedCheckpoint, read_trusted_by_store_keys, reason_for
from domain.journal.log import LogRegister
from replay.proof.checkpoints import COSIGNATURE, PLAIN, VerificationError, VerifierKey, parse_bits, read_key

# Command options for verifier keys.


def keys_of(given: Iterable[str], option: str, *, kind: int | None = None) -> tuple[VerifierKey, ...]:
    """Return the keys; each value is a key, or a file with one on each line. Raises click's usage errors, also for another ``kind``."""
    return tuple(_key(text, option, kind) for one in given for text in _keys_in(one))


def _keys_in(given: str) -> Sequence[str]:
    file = Path(given)
    lines = file.read_text(encoding="utf-8").splitlines() if "+" not in given and file.is_file() else [given]
    return [line.strip() for line in lines if line.strip() and not line.startswith("#")]


def _key(text: str, option: str, kind: int | None) -> VerifierKey:
    try:
        key = read_key(text)
    except VerificationError:
        raise WrongValue(say("verify.key_malformed", where=text), option) from None
    if kind not in (None, key.kind):
        raise WrongValue(say(_OTHER[kind or PLAIN], key=text), option)
    return key


_OTHER = {PLAIN: "key_not_of_log", COSIGNATURE: "key_not_of_witness"}


class CheckpointOptions(NamedTuple):
    """Values of the options. ``said``: each text as it was typed, and as ``parse_bits`` reads it."""

    files: tuple[Path, ...] = ()
    keys: tuple[VerifierKey, ...] = ()
    said: tuple[tuple[str, int], ...] = ()


def checkpoint_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options; the command receives them with its other flags, for ``checkpoint_options_of``."""
    file = click.Path(path_type=Path)
    for option in (
        click.option("--said", multiple=True, metavar="WORDS", help="Twelve words or forty digits of a root or a mark, from paper."),
        click.option(
            "--key", "keys", multiple=True, metavar="VKEY", help="The required signer of --checkpoint; default: the log's own key."
        ),
        click.option("--checkpoint", "files", multiple=True, type=file, metavar="FILE", help="A checkpoint that was saved earlier."),
    ):
        command = option(command)
    return command


def checkpoint_options_of(flags: dict[str, Any]) -> CheckpointOptions:
    """Return the values of the options. Raises click's usage errors."""
    if flags.get("keys") and not flags.get("files"):
        raise WrongCall(say("key_without_checkpoint"))
    said = tuple((text, _bits(text)) for text in flags.get("said", ()))
    return CheckpointOptions(flags.get("files", ()), keys_of(flags.get("keys", ()), "--key"), said)


def read_checkpoint_files(asked: CheckpointOptions, register: LogRegister) -> list[TrustedCheckpoint]:
    """Return the checkpoints of the files. Raises ``Failure`` for an invalid one, or one that the keys did not sign."""
    return [_read_checkpoint_file(file, asked.keys, register) for file in asked.files]


def check_checkpoint_files(settings: Settings, asked: CheckpointOptions) -> None:
    """Check the files before anything else is done. Raises ``Failure`` as ``read_checkpoint_files``."""
    with open_event_store(settings, create=False) as events:
        read_checkpoint_files(asked, events)


def _read_checkpoint_file(file: Path, keys: Sequence[VerifierKey], register: LogRegister) -> TrustedCheckpoint:
    try:
        return read_trusted_by_store_keys(str(file), file.read_text(encoding="utf-8"), keys, register)
    except OSError as error:
        raise Failure(say("file_problem", file=file, problem=system_problem(error.errno))) from error
    except UnicodeDecodeError as error:
        raise Failure(say("file_problem", file=file, problem=say("verify.note_malformed"))) from error
    except VerificationError as unproven:
        raise Failure(say("file_problem", file=file, problem=reason_for(unproven))) from unproven


def _bits(text: str) -> int:
    bits = parse_bits(text)
    if bits is None:
        raise WrongValue(say("neither_words_nor_digits", said=text), "--said")
    return bits
