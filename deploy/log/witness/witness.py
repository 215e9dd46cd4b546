"""What a witness does with a request: it cosigns what continues what it cosigned before, and keeps what does not."""

from collections.abc import Callable, Sequence
from hashlib import sha256

from deploy.stores.witness import Hand, WitnessStore
from replay.proof.checkpoints import Checkpoint, read_checkpoint
from replay.proof.notes import Signer, VerifierKey
from replay.proof.witnessing import (
    Asked,
    Cosigned,
    Evidence,
    NotCosigned,
    check_extension,
    contradicts,
    read_asked,
    signed_by_its_log,
    with_known_signatures,
)


class ClockBehind(Exception):
    """The clock shows a moment before the last cosignature of this log. A signature of that moment would be untrue: it says that nothing
    larger was seen by then. ``seconds``: by how much.
    """

    def __init__(self, seconds: int) -> None:
        super().__init__(f"the clock is {seconds} s behind the last cosignature")
        self.seconds = seconds


class Witness:
    """Safe to use from many threads. ``clock``: the moment, in seconds of POSIX."""

    def __init__(self, store: WitnessStore, signer: Signer, logs: Sequence[VerifierKey], clock: Callable[[], float]) -> None:
        self._store = store
        self._signer = signer
        self._logs = logs
        self._clock = clock
        self._origins = {sha256(key.name.encode()).hexdigest(): key.name for key in logs}

    def add_checkpoint(self, body: bytes) -> str:
        """The line of the cosignature, which is on the disk by now. Raises ``NotCosigned``, ``ClockBehind`` and ``Unavailable``."""
        asked = read_asked(body)
        checkpoint = signed_by_its_log(asked, self._logs)
        answer = self._store.transact(lambda hand: self._judged(hand, asked, checkpoint))
        if isinstance(answer, NotCosigned):  # raised here: what the transaction kept has to stay
            raise answer
        return answer

    def newest(self, origin_hash: str) -> str | None:
        """The checkpoint that was cosigned last, with the signatures of its log and this witness, by the SHA-256 of the origin."""
        cosigned = self._store.cosigned(self._origins.get(origin_hash, ""))
        return cosigned and cosigned.note

    def _judged(self, hand: Hand, asked: Asked, checkpoint: Checkpoint) -> str | NotCosigned:
        last = hand.cosigned(checkpoint.origin)
        before = read_checkpoint(last.note) if last else None
        try:
            check_extension(asked, checkpoint, before)
        except NotCosigned as refused:
            proves = contradicts(checkpoint, before)
            if last and (proves or refused.why == "not_an_extension"):
                hand.keep(Evidence(checkpoint.origin, proves, last.note, asked.body, int(self._clock())))
            return refused
        now = int(self._clock())
        if last and now < last.at:
            raise ClockBehind(last.at - now)
        line = self._signer.line(checkpoint.text, now)
        hand.cosign(checkpoint.origin, Cosigned(with_known_signatures(asked.note, self._logs, line), now))
        return line
