"""What of the log a reader can make something of. Commitments, marks, hashes of the tree and signatures depend on every byte that is
stored, blindly: of them only the length and the form are told."""

import json
from base64 import b64decode
from typing import Any

from replay.proof import single_file
from replay.proof.checkpoints import read_note, to_base64

_ENTRY, _HEAD = 91, 2 + 1 + 16 + 8  # bytes of an entry with its length, and those of it that say whose event it is


def seen_of(path: str, status: int, body: bytes) -> object:
    """The body of an answer as it is, but for what is blinded."""
    if status >= 300 or not ("/v1/log/" in path or path.endswith("/proof")):
        return body
    kind = path.rpartition("/v1/log/")[2].partition("/")[0]
    if path.endswith("/proof"):
        return _proof(json.loads(body), to_base64(single_file.mark_events(json.loads(body))[1]))
    if path.startswith("/v1/log/tile/entries/"):
        return [(body[at : at + _HEAD], len(body[at : at + _ENTRY])) for at in range(0, len(body), _ENTRY)]
    match kind:
        case "checkpoint":
            return _note(body.decode(), 2)
        case "consistency":
            return list(map(_hash, json.loads(body)["path"]))
        case "tile":
            return len(body)
        case _:
            return body


def _proof(file: dict[str, Any], told: str) -> dict[str, Any]:
    """All that is said of events stands: names, what was told, salts of what is open. ``told`` is the digest of that."""
    events = [{**event, "commitment": _hash(event["commitment"])} if "commitment" in event else event for event in file["events"]]
    signed: dict[str, Any] = {"receipt": _note(file["receipt"].replace(told, "told"), 6)} if "receipt" in file else {}
    if "earlier" in file:
        signed |= {"earlier": (_note(file["earlier"]["checkpoint"], 2), list(map(_hash, file["earlier"]["path"])))}
    return {**file, "checkpoint": _note(file["checkpoint"], 2), "events": events, "path": list(map(_hash, file["path"])), **signed}


def _note(note: str, blind: int) -> tuple[list[object], list[tuple[str, int]]]:
    """Its lines, of which one is a hash; and who signed it."""
    text, signatures = read_note(note)
    lines: list[object] = [_hash(line) if number == blind else line for number, line in enumerate(text.splitlines())]
    return lines, [(name, len(signature)) for name, signature in signatures]


def _hash(text: str) -> int:
    return len(b64decode(text, validate=True))
