"""Proof files: a record or a view of it, and its path to the signed root of the log. JSON; hashes in base64."""

from typing import Annotated, Literal, TypeAlias
from uuid import UUID

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import replace

from replay.proof.exact import VerificationError, from_base64, to_base64
from replay.proof.marks import ZEROS, commitment_to, extend_view_digest, head_of, mark_of
from replay.proof.notes import Signer, sign

FULL = "full"
EDITION = 1
"""The edition of the redaction of views (``replay/proof/making.py``). It rises when a view of the same event would change."""

# Patterns as JSON Schema has them, which knows no \Z; "$" would let a newline pass.
View: TypeAlias = Annotated[str, Meta(pattern=r"^(full|public|seat:(0|[1-9][0-9]{0,2}))(?![\s\S])")]
_Count: TypeAlias = Annotated[int, Meta(ge=0, lt=1 << 53)]
_Place: TypeAlias = Annotated[int, Meta(ge=1, lt=1 << 53)]
_Line: TypeAlias = Annotated[str, Meta(pattern=r"^[^\n]*(?![\s\S])", max_length=200)]


class _Form(Struct, frozen=True, forbid_unknown_fields=True):
    pass


class ProofEvent(_Form, frozen=True, kw_only=True):
    """An event in a file. With its salt ``bytes`` are the stored ones; with its commitment they are those that the view was shown."""

    name: _Line
    bytes: str
    salt: str | UnsetType = UNSET
    commitment: str | UnsetType = UNSET


def _read_commitment(event: ProofEvent, head: bytes, where: str) -> bytes:
    """Return the commitment, computed where the event is opened. Raises ``VerificationError``."""
    if event.salt is not UNSET and event.commitment is UNSET:
        return commitment_to(from_base64(event.salt, where, 16), head, event.bytes.encode())
    if event.commitment is not UNSET and event.salt is UNSET:
        return from_base64(event.commitment, where, 32)
    raise VerificationError("malformed", where)


class FirstCheckpoint(_Form, frozen=True):
    """The first checkpoint behind the last event that was kept, and the path from it to the one of the file: since when it stood."""

    checkpoint: str
    path: tuple[str, ...]


class ProofFile(_Form, frozen=True, kw_only=True):
    format: Literal["kiebitz-proof/1"]
    checkpoint: str
    stream: str
    view: View
    first: _Place
    prev: str
    events: tuple[ProofEvent, ...]
    leaf: _Count
    path: tuple[str, ...]
    edition: _Place | UnsetType = UNSET
    receipt: str | UnsetType = UNSET
    earlier: FirstCheckpoint | UnsetType = UNSET

    @property
    def id(self) -> UUID:
        return UUID(self.stream)

    @property
    def last(self) -> int:
        """The position of the last event."""
        return self.first + len(self.events) - 1

    def heads(self) -> list[bytes]:
        stream = self.id
        return [head_of(stream, position, event.name) for position, event in enumerate(self.events, self.first)]

    def mark(self) -> bytes:
        """Return the mark of the last event, through all events of the file."""
        stream, mark = self.id, from_base64(self.prev, "prev", 32)
        for position, (event, head) in enumerate(zip(self.events, self.heads(), strict=True), self.first):
            mark = mark_of(stream, position, mark, _read_commitment(event, head, f"events[{position - self.first}]"))
        return mark

    def view_digest(self) -> bytes:
        told = ZEROS
        for event, head in zip(self.events, self.heads(), strict=True):
            told = extend_view_digest(told, head, event.bytes.encode(), opened=event.salt is not UNSET)
        return told

    def receipt_text(self, origin: str, nonce: bytes) -> str:
        """Return the text of a receipt over this file: everything that the service showed, for signing."""
        mark, told = to_base64(self.mark()), to_base64(self.view_digest())
        lines = ("kiebitz-told/1", origin, self.stream, self.view, str(self.edition), str(self.last), mark, told, to_base64(nonce))
        return "".join(f"{line}\n" for line in lines)

    def add_receipt(self, origin: str, signer: Signer, nonce: bytes) -> "ProofFile":
        """Return the file of a view, with the receipt of it. ``nonce``: 16 random bytes."""
        edited = replace(self, edition=EDITION)
        return replace(edited, receipt=sign(edited.receipt_text(origin, nonce), signer))

    def as_bytes(self) -> bytes:
        return msgspec.json.encode(self) + b"\n"


def receipt_key_name(origin: str) -> str:
    """Return the name of the key that signs receipts of a log."""
    return f"{origin}/told"


def hashes(path: tuple[str, ...], where: str) -> tuple[bytes, ...]:
    return tuple(from_base64(one, f"{where}[{number}]", 32) for number, one in enumerate(path))
