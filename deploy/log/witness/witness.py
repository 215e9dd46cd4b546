"""Witness of logs: cosigns a consistent continuation of what it cosigned before, stores evidence of contradictions, and answers over HTTP
(c2sp.org/tlog-witness).
"""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

from litestar import Litestar, Request, Response, get, post
from litestar.exceptions import HTTPException
from litestar.params import FromPath

from deploy.config.failures import Failure, say
from deploy.config.key_files import tls_context
from deploy.config.settings import Settings
from deploy.http.connections import ConnectionRegistry
from deploy.http.listening_socket import address_of, listening
from deploy.http.server import Server, configure_server, limit_connections, serve_at
from deploy.stores.witness import Hand, WitnessStore
from deploy.system.log_lines import start_logging
from deploy.system.private import make_secret, private_folder, secret
from domain.errors import Unavailable
from replay.proof import witness_protocol as protocol
from replay.proof.checkpoints import COSIGNATURE, Checkpoint, Signer, VerificationError, VerifierKey, read_checkpoint, read_key

_SEED = 32
_STORE, _KEY = "witness.db", "witness.key"


class ClockError(Exception):
    """Raised when the clock is before the last cosignature of this log, by ``seconds``.

    A signature with that time would be false: it states that nothing larger was seen by then.
    """

    def __init__(self, seconds: int) -> None:
        super().__init__(f"the clock is {seconds} s behind the last cosignature")
        self.seconds = seconds


class Witness:
    """Witness, safe to use from many threads. ``clock``: POSIX time in seconds."""

    def __init__(self, store: WitnessStore, signer: Signer, logs: Sequence[VerifierKey], clock: Callable[[], float]) -> None:
        self._store = store
        self._signer = signer
        self._logs = logs
        self._clock = clock
        self._origins = {sha256(key.name.encode()).hexdigest(): key.name for key in logs}

    def add_checkpoint(self, body: bytes) -> str:
        """Return the line of the cosignature, which is on the disk by now. Raises ``CosignatureRefusedError``, ``ClockError`` and
        ``Unavailable``.
        """
        asked = protocol.read_asked(body)
        checkpoint = protocol.check_log_signature(asked, self._logs)
        answer = self._store.run_transaction(lambda hand: self._judge_request(hand, asked, checkpoint))
        if isinstance(
            answer, protocol.CosignatureRefusedError
        ):  # raised here, outside the transaction: the stored evidence must not be rolled back
            raise answer
        return answer

    def last_checkpoint(self, origin_hash: str) -> str | None:
        """Return the note that was cosigned last, with the signatures of its log and this witness, by the SHA-256 of the origin."""
        cosigned = self._store.find_latest_checkpoint(self._origins.get(origin_hash, ""))
        return None if cosigned is None else cosigned.note

    def _judge_request(self, hand: Hand, asked: protocol.Asked, checkpoint: Checkpoint) -> str | protocol.CosignatureRefusedError:
        last = hand.find_latest_checkpoint(checkpoint.origin)
        before = read_checkpoint(last.note) if last else None
        try:
            protocol.check_extension(asked, checkpoint, before)
        except protocol.CosignatureRefusedError as refused:
            proves = protocol.has_conflict(checkpoint, before)
            if last and (proves or refused.why == "not_an_extension"):
                hand.keep(protocol.ConflictProof(checkpoint.origin, proves, last.note, asked.body, int(self._clock())))
            return refused
        now = int(self._clock())
        if last and now < last.at:
            raise ClockError(last.at - now)
        line = self._signer.line(checkpoint.text, now)
        hand.store_checkpoint(
            checkpoint.origin, protocol.WitnessedCheckpoint(protocol.with_known_signatures(asked.note, self._logs, line), now)
        )
        return line


def has_witness(folder: Path) -> bool:
    """Return whether a witness has this folder, or had it."""
    return (folder / _KEY).exists() or (folder / _STORE).exists()


@contextmanager
def open_witness(
    folder: Path, name: str | None, logs: Sequence[VerifierKey], clock: Callable[[], float]
) -> Iterator[tuple[Witness, VerifierKey]]:
    """Open the witness; yield it and its verifier key, both created if the folder holds none. ``name`` is needed the first time.

    Raises ``Failure`` if key, name and store do not belong together.
    """
    private_folder(folder)
    if (folder / _KEY).exists() and not (folder / _STORE).exists():
        raise Failure(say("witness_forgot", folder=folder), say("witness_anew"))
    with closing(WitnessStore(folder / _STORE)) as store:
        signer = _signer(folder, name, store)
        yield Witness(store, signer, logs, clock), signer.key


def read_conflict_proofs(folder: Path) -> list[protocol.ConflictProof]:
    """Return the stored evidence. Raises ``Failure`` if the folder is not a witness's."""
    if not (folder / _STORE).exists():
        raise Failure(say("witness_none", folder=folder))
    with closing(WitnessStore(folder / _STORE)) as store:
        return store.list_conflict_proofs()


def _signer(folder: Path, name: str | None, store: WitnessStore) -> Signer:
    known = store.key()
    name = name or (known and read_key(known).name)
    if name is None:
        raise Failure(say("witness_needs_name"))
    _check_name(name)
    signer = Signer(name, _seed(folder / _KEY), COSIGNATURE)
    owner = store.claim_key(str(signer.key))
    if owner != str(signer.key):
        raise Failure(say("witness_other_key", folder=folder, key=owner, other=signer.key), say("witness_anew"))
    return signer


def _check_name(name: str) -> None:
    try:
        read_key(str(VerifierKey(name, COSIGNATURE, bytes(_SEED))))
    except VerificationError:
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


# HTTP server of a witness (c2sp.org/tlog-witness), with the same server and limits as the service.


_SENTENCES: dict[protocol.Why, str] = {
    "malformed": "this is no request of c2sp.org/tlog-witness, with a checkpoint without further lines",
    "log_unknown": "this witness signs nothing of this log",
    "not_signed": "the checkpoint is not signed by a key of its log that is known here",
    "old_larger": "the old size is larger than that of the checkpoint",
    "other_size": "",
    "not_an_extension": "the checkpoint was not shown to continue the one that was cosigned last",
}


def serve_witness(witness: Witness, settings: Settings, started: Callable[[str], None]) -> None:
    """Serve until SIGTERM or SIGINT. ``started`` is called with the address. Raises ``Failure`` if the port is taken."""
    start_logging(settings.log_format)
    tls = tls_context(settings)
    with listening(settings.host, settings.port) as line:
        config = configure_server(create_app(witness), ConnectionRegistry(limit_connections(settings.limits)), tls)
        address = address_of(line, "https" if tls else "http")
        serve_at([line], Server(config, lambda: started(address), lambda: None))


def create_app(witness: Witness) -> Litestar:
    """Create the application. Cosigned checkpoints are public; a request is authenticated by its log's signature alone."""

    @post("/add-checkpoint", status_code=200, request_max_body_size=protocol.LARGEST)
    async def add_checkpoint(request: Request[Any, Any, Any]) -> Response[str]:
        body = await request.body()
        return _plain(await asyncio.to_thread(witness.add_checkpoint, body))

    @get("/{origin_hash:str}/checkpoint")
    async def checkpoint(origin_hash: FromPath[str]) -> Response[str]:
        note = await asyncio.to_thread(witness.last_checkpoint, origin_hash)
        return _plain("no checkpoint of this log was cosigned here\n", 404) if note is None else _plain(note)

    handlers: dict[int | type[Exception], Any] = {
        protocol.CosignatureRefusedError: _build_refusal,
        ClockError: _later,
        Unavailable: _later,
        HTTPException: _of_http,
    }
    return Litestar([add_checkpoint, checkpoint], openapi_config=None, logging_config=None, exception_handlers=handlers)


def _plain(text: str, status: int = 200, **headers: str) -> Response[str]:
    return Response(text, status_code=status, media_type="text/plain; charset=utf-8", headers=headers)


def _build_refusal(_: Request[Any, Any, Any], refused: protocol.CosignatureRefusedError) -> Response[str]:
    if refused.why == "other_size":
        return Response(f"{refused.size}\n", status_code=protocol.STATUS[refused.why], media_type=protocol.SIZE_TYPE)
    return _plain(f"{_SENTENCES[refused.why]}\n", protocol.STATUS[refused.why])


def _later(_: Request[Any, Any, Any], error: ClockError | Unavailable) -> Response[str]:
    seconds = error.seconds if isinstance(error, ClockError) else 1
    return _plain(f"{error}\n", 503, **{"Retry-After": str(max(1, min(seconds, 3600)))})


def _of_http(_: Request[Any, Any, Any], error: HTTPException) -> Response[str]:
    return _plain(f"{error.detail}\n", error.status_code)
