"""Fake log over HTTP, built on the pure core, that serves true or false data on demand."""

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import parse_qs, urlsplit

import msgspec

from domain.events import Recorded
from replay.proof.checkpoints import Checkpoint, Signer, sign, to_base64
from replay.proof.tiles import WIDTH, build_tree_reader, bundle, bundle_at, grow_tiles
from replay.proof.tree import ZEROS, commitment_to, consistency_path, entry_of, head_of, leaf_hash, root_of, salt_of
from tests.replay.proof.places import BLINDING, LOG

TOKEN = "kb_feed"


class ServedLog:
    """``entries`` are laid into the tree as they are; ``size`` is signed, of them all by default."""

    def __init__(self, *entries: bytes, signer: Signer = LOG) -> None:
        self.entries, self.signer = list(entries), signer
        self.cosigners: tuple[tuple[Signer, int], ...] = ()
        self.size: int | None = None
        self.told: list[bytes] | None = None
        """Other entries than those in the tree."""

    def add(self, *entries: bytes) -> None:
        self.entries += entries

    def checkpoint(self) -> str:
        size = len(self.entries) if self.size is None else self.size
        text = Checkpoint(self.signer.key.name, size, root_of(self._subtrees(), 0, size)).text
        return sign(text, self.signer) + "".join(witness.line(text, at) for witness, at in self.cosigners)

    def path(self, old: int, new: int) -> list[str]:
        return [to_base64(node) for node in consistency_path(self._subtrees(), old, new)]

    def bundle(self, place: str) -> bytes | None:
        at = bundle_at(place)
        entries = (self.told or self.entries)[at.index * WIDTH :][: at.width] if at else []
        return bundle(entries) if at and len(entries) == at.width else None

    def _subtrees(self):
        tiles = {
            (tile.level, tile.index): hashes for tile, hashes in grow_tiles(lambda *_: b"", 0, [leaf_hash(one) for one in self.entries])
        }
        return build_tree_reader(lambda level, index: tiles[level, index])


def entries_of(*events: Recorded) -> list[bytes]:
    """As a log has them."""
    marks: dict[object, bytes] = {}
    found = []
    for event in events:
        head, salt = head_of(event.stream, event.position, event.name), salt_of(BLINDING, event.stream, event.position)
        commitment = commitment_to(salt, head, event.state)
        found.append(entry_of(event.stream, event.position, marks.get(event.stream, ZEROS), commitment))
        marks[event.stream] = leaf_hash(found[-1])
    return found


@contextmanager
def serving(log: ServedLog) -> Iterator[str]:
    """The address of a service with this log."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:  # the library's name
            parts = urlsplit(self.path)
            query = {name: int(value) for name, [value] in parse_qs(parts.query).items()}
            place = parts.path.removeprefix("/v1/log/")
            if place == "checkpoint":
                self._answer(log.checkpoint().encode())
            elif place == "consistency":
                self._answer(msgspec.json.encode({"path": log.path(query["old"], query["new"])}))
            elif self.headers["Authorization"] != f"Bearer {TOKEN}":
                self._answer(b"", 401)
            else:
                found = log.bundle(place.removeprefix("tile/entries/"))
                self._answer(found or b"", 200 if found else 404)

        def _answer(self, body: bytes, status: int = 200) -> None:
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
