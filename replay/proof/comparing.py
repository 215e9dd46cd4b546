"""A view that somebody was told, held against the record that was opened later."""

from collections.abc import Iterator, Sequence

from msgspec import UNSET, Struct

from domain.codec import decode_event
from domain.events import Recorded
from domain.events.game import GameOpened
from replay.past import GamePast, GameStep
from replay.proof.exact import Unproven
from replay.proof.files import EDITION, FULL, ProofFile
from replay.proof.telling import told_of, who_of
from replay.proof.verifying import Proven


class Otherwise(Struct, frozen=True):
    """What the service told and signed, and what it should have told."""

    position: int
    told: str
    due: str


def history_of(file: ProofFile) -> tuple[Recorded, ...]:
    """The events of a whole record. Raises nothing, whatever stands there."""
    stream = file.id
    return tuple(decode_event(stream, position, event.name, event.bytes.encode()) for position, event in enumerate(file.events, file.first))


def compare(view: Proven, record: Proven) -> Iterator[Otherwise]:
    """Every event of which the view was told something else than the record makes of it.

    Both are proven. Raises ``Unproven`` where the record is not the one that stood then, or where the two cannot be compared.
    """
    told, full = view.file, record.file
    if told.view == FULL or full.view != FULL or full.first > 1 or told.stream != full.stream:
        raise Unproven("not_comparable")
    if len(full.events) < len(told.events):
        raise Unproven("not_the_record", str(told.last))
    check_same_record(view, record)
    if told.edition != EDITION or not is_game(full):
        raise Unproven("not_comparable")
    return _differences(told, history_of(full)[: told.last])


def check_same_record(early: Proven, late: Proven) -> None:
    """Of two files of one game, as far as the first one goes; what they tell is not compared. Raises ``Unproven`` for two records."""
    if late.file.until(early.file.last).mark() != early.mark:
        raise Unproven("not_the_record", str(early.file.last))


def is_game(file: ProofFile) -> bool:
    """Whether a file that begins at position 1 begins as a game does."""
    return isinstance(history_of(file.until(1))[0].event, GameOpened)


def _differences(told: ProofFile, history: Sequence[Recorded]) -> Iterator[Otherwise]:
    who = who_of(told.view)
    steps: Iterator[GameStep] = GamePast(lambda after, limit: history[after : after + limit]).steps(0, len(history))
    for step, event in zip(steps, told.events, strict=True):
        due = told_of(step, who).decode()
        if event.salt is UNSET and event.bytes != due:
            yield Otherwise(step.recorded.position, event.bytes, due)
