"""Fake witness over HTTP that can be made silent, to fail, or to have seen another history."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread

from deploy.log.witness.witness import Witness
from deploy.stores.witness import WitnessStore
from replay.proof.checkpoints import VerifierKey
from replay.proof.witness_protocol import SIZE_TYPE, STATUS, CosignatureRefusedError, read_asked
from replay.proof.witnesses import NamedWitness
from tests.replay.proof.made import MOMENT
from tests.replay.proof.places import WITNESS


class AskedWitness:
    """``asked``: the old sizes that were named, in order. While ``heard`` is not set nobody is answered."""

    def __init__(self, store: WitnessStore, *logs: VerifierKey) -> None:
        self.witness = Witness(store, WITNESS, logs, lambda: MOMENT)
        self.asked: list[int] = []
        self.heard = Event()
        self.heard.set()
        self.status: int | None = None
        self.url = ""

    @property
    def named(self) -> NamedWitness:
        return NamedWitness(self.url, str(WITNESS.key))

    def add_checkpoint(self, body: bytes) -> tuple[int, str, str]:
        self.asked.append(read_asked(body).old)
        self.heard.wait()
        if self.status is not None:
            return self.status, "text/plain", ""
        try:
            return 200, "text/plain", self.witness.add_checkpoint(body)
        except CosignatureRefusedError as refused:
            return STATUS[refused.why], SIZE_TYPE, f"{refused.size}\n"


@contextmanager
def asked_witness(folder: Path, *logs: VerifierKey) -> Iterator[AskedWitness]:
    with closing(WitnessStore(folder / "witness.db")) as store:
        witness = AskedWitness(store, *logs)

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:  # the library's name
                self._answer(*witness.add_checkpoint(self.rfile.read(int(self.headers["Content-Length"]))))

            def do_GET(self) -> None:
                note = witness.witness.last_checkpoint(self.path.split("/")[1])
                self._answer(200 if note else 404, "text/plain", note or "")

            def _answer(self, status: int, kind: str, text: str) -> None:
                body = text.encode()
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *_: object) -> None:
                pass

        with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
            witness.url = f"http://127.0.0.1:{server.server_port}"
            Thread(target=server.serve_forever, daemon=True).start()
            try:
                yield witness
            finally:
                witness.heard.set()
                server.shutdown()
