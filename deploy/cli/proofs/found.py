"""What `kiebitz verify` finds, in words and as JSON."""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import TypeAlias

from msgspec import Struct, to_builtins

from deploy.cli import audit
from deploy.language import say, sentence, told
from domain.texts import Saying
from replay.findings import Audit
from replay.proof.comparing import Otherwise
from replay.proof.exact import Unproven
from replay.proof.files import FULL
from replay.proof.verifying import Proven


class Bad(Struct, frozen=True):
    """What proves nothing, and why."""

    file: str
    fault: str
    where: str
    problem: Saying
    exit_code: int = 1

    def in_words(self, language: str) -> str:
        return f"✗ {self.file}: {told(self.problem, language)}"

    def as_json(self) -> dict[str, object]:
        return {"file": self.file, "proven": False, "fault": self.fault, "where": self.where}


def bad(file: str, unproven: Unproven) -> Bad:
    return Bad(file, unproven.fault, unproven.where, say(f"verify.{unproven.fault}", where=unproven.where))


class Good(Struct, frozen=True):
    """A file that proves what it says; and what the rules say to the whole record of a game."""

    file: str
    proven: Proven
    judged: Audit | None

    @property
    def exit_code(self) -> int:
        return int(self.judged is not None and self.judged.verdict == "divergent")

    def in_words(self, language: str) -> str:
        return "\n".join([f"✓ {self.file}: {self._what(language)}", *(f"    {line}" for line in self._more(language))])

    def _what(self, language: str) -> str:
        file, checkpoint = self.proven.file, self.proven.checkpoint
        about = {"stream": file.stream, "view": _viewer(file.view, language), "first": file.first, "last": file.last}
        key = "proven_full" if file.view == FULL else "proven_view"
        return sentence(key, language, **about, origin=checkpoint.origin, size=checkpoint.size)

    def _more(self, language: str) -> Iterator[str]:
        proven = self.proven
        yield sentence("proven_mark", language, mark=proven.mark.hex())
        yield from witness_lines(proven.witnessed, language)
        if not proven.witnessed:
            yield sentence("proven_unwitnessed", language)
        if proven.earlier is not None:
            yield sentence("proven_stood" if proven.stood_earlier else "proven_went_on", language, size=proven.earlier.size)
            yield from witness_lines(proven.since, language)
        if self.judged is None and proven.file.view == FULL:
            yield sentence("proven_unjudged", language)
        elif self.judged is not None:
            yield from audit.in_words(self.judged, language).splitlines()

    def as_json(self) -> dict[str, object]:
        proven, file = self.proven, self.proven.file
        witnessed = [{"name": name, "at": moment(at)} for name, at in proven.witnessed]
        about = {"stream": file.stream, "view": file.view, "first": file.first, "last": file.last, "mark": proven.mark.hex()}
        log = {"origin": proven.checkpoint.origin, "size": proven.checkpoint.size, "witnessed": witnessed}
        earlier = None if proven.earlier is None else {"size": proven.earlier.size, "stood": proven.stood_earlier}
        return {"file": self.file, "proven": True, **about, **log, "earlier": earlier, "rules": self.judged and self.judged.verdict}


class Held(Struct, frozen=True):
    """A view held against the record up to its last position."""

    view: str
    record: str
    last: int
    differences: tuple[Otherwise, ...]

    @property
    def exit_code(self) -> int:
        return int(bool(self.differences))

    def in_words(self, language: str) -> str:
        said = sentence("proven_otherwise" if self.differences else "proven_same", language, last=self.last)
        lines = [f"{'✗' if self.differences else '✓'} {self.view}, {self.record}: {said}"]
        for one in self.differences:
            lines.append(f"    {sentence('audit_position', language, position=one.position)}")
            lines.append(f"        {sentence('proven_told', language)}: {one.told}")
            lines.append(f"        {sentence('audit_recomputed', language)}: {one.due}")
        return "\n".join(lines)

    def as_json(self) -> dict[str, object]:
        return {"view": self.view, "record": self.record, "last": self.last, "differences": to_builtins(self.differences)}


class Together(Struct, frozen=True):
    """Two views of one game, the second as long as the first or longer."""

    early: str
    late: str
    last: int
    exit_code: int = 0

    def in_words(self, language: str) -> str:
        return f"✓ {self.early}, {self.late}: {sentence('proven_same_record', language, last=self.last)}"

    def as_json(self) -> dict[str, object]:
        return {"view": self.early, "later": self.late, "last": self.last, "same": True}


Found: TypeAlias = Bad | Good | Held | Together


def witness_lines(by: Iterable[tuple[str, int]], language: str) -> Iterator[str]:
    return (sentence("proven_witness", language, name=name, at=moment(at)) for name, at in by)


def _viewer(view: str, language: str) -> str:
    return sentence("seat", language, seats=view.partition(":")[2]) if ":" in view else sentence("the_public", language)


def moment(seconds: int) -> str:
    """As RFC 3339 has it; a moment that no calendar has, as the number it is."""
    try:
        return datetime.fromtimestamp(seconds, UTC).isoformat().replace("+00:00", "Z")
    except (OverflowError, ValueError, OSError):
        return str(seconds)
