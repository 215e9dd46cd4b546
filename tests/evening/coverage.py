"""What an evening has asked and seen, held against the OpenAPI document that it has read."""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from tests.evening.book import EVERYBODY

Line = dict[str, Any]

NOT_TO_BE_SEEN = {
    500: "a fault of the service, or damaged history: the problem carries a random id",
    501: "an extra that is not installed; all are, where tests run",
}
NOT_PROVOKED = {
    503: "needs projections or a database that are away",
    422: "list_legal_moves refuses damaged tables and editions that are not kept any more; all other operations show it",
    409: "needs two requests under one key at once",
}
LOG = ("read_checkpoint", "read_log_keys", "read_consistency", "read_tile")
TIMED = {(id, 429) for id in ("sign_in", "sign_out", "openapi", "docs", "verifier", *LOG)}
"""What is answered tells how much time has passed."""
ELSEWHERE = {*((id, 401) for id in LOG), *((id, 404) for id in LOG[:3])}
"""Need a service whose log is closed, or that keeps none."""
PROVOKED = {("announce_tournament", 409), ("register_players", 409), ("import_records", 409), ("prepare_boards", 409)}
"""All the same: what exists already."""
OF_PLAYERS = {"join_shuffle", "open_chance"}
"""Only a player may ask it, and none is among those who ask: all are refused. How it is answered stands in tests/api/games/shuffling."""
KINDS_NOT_TO_BE_SEEN = {
    "conflict": "needs two writers at once",
    "in_flight": "needs two requests under one key at once",
    "not_installed": "all extras are installed",
    "no_log": "needs a service that keeps no log",
    "not_signed_yet": "needs a log that nobody signs",
    "behind": "needs a projection that stands still",
    "building": "needs projections that are being filled",
    "crowded": "needs many who ask at once",
    "export_broken_off": "needs a process that is killed",
    "unavailable": "needs a database that is away; the problem carries a random id",
    "store_halted": "needs a database whose file was exchanged; the problem carries a random id",
    "corrupt": "needs damaged history; the problem carries a random id",
    "session_changed": "comes within a stream and never as an answer: tests/api/service/test_streams.py",
    "too_many_attempts": "tells how much time has passed",
    "internal_error": "needs a fault; the problem carries a random id",
}
"""Kinds of problems that no script can see that is answered the same each time."""


@dataclass
class Coverage:
    """By operation: who asked it, in which languages, and how it was answered; and which problems, media types and formats came."""

    document: Line = field(default_factory=dict)
    roles: dict[str, set[str]] = field(default_factory=dict)
    languages: dict[str, set[str]] = field(default_factory=dict)
    statuses: dict[str, set[int]] = field(default_factory=dict)
    media: dict[str, set[str]] = field(default_factory=dict)
    kinds: set[str] = field(default_factory=set)
    codes: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, lines: Iterable[Line]) -> "Coverage":
        kept = [line for line in lines if "n" in line]
        found = cls(next(json.loads(line["answer"]) for line in kept if line["target"] == "/openapi.json" and line["status"] == 200))
        operations = _operations(found.document)
        for line in kept:
            found._take(line, operations)
        return found

    @property
    def operations(self) -> dict[str, Line]:
        return {one["operationId"]: one for methods in self.document["paths"].values() for one in methods.values()}

    def missing(self) -> Iterator[str]:
        """What a whole evening has to ask and did not."""
        for id, operation in self.operations.items():
            for role in EVERYBODY:
                if role not in self.roles.get(id, ()):
                    yield f"{id} was not asked by {role}"
            if "de" not in self.languages.get(id, ()) or "" not in self.languages.get(id, ()):
                yield f"{id} was not asked in both languages"
            if 500 in self.statuses.get(id, set()):
                yield f"{id} broke"
            if id not in OF_PLAYERS:
                yield from self._unanswered(id, operation)
        for kind in self.known_kinds - self.kinds - KINDS_NOT_TO_BE_SEEN.keys():
            yield f"no problem of the kind {kind} was seen"

    def _unanswered(self, id: str, operation: Line) -> Iterator[str]:
        for media in _media(operation) - self.media.get(id, set()):
            yield f"{id} did not answer as {media}"
        for status in (status for known, status in self.unseen() if known == id and _is_provoked(id, status)):
            yield f"{id} did not answer {status}"
        if not any(status < 300 for status in self.statuses.get(id, ())):
            yield f"{id} was never answered well"

    @property
    def known_kinds(self) -> set[str]:
        """As they stand in the examples of the document."""
        answers = self.document["components"]["responses"].values()
        return {kind for answer in answers for media in answer["content"].values() for kind in media["examples"]}

    def unseen(self) -> Iterator[tuple[str, int]]:
        """Documented statuses that the evening did not see, each with its operation."""
        for id, operation in self.operations.items():
            documented = {int(status) for status in operation["responses"]} - NOT_TO_BE_SEEN.keys()
            yield from ((id, status) for status in sorted(documented - self.statuses.get(id, set())))

    def report(self) -> Iterator[str]:
        yield f"{len(self.roles)} operations asked, {len(self.codes)} codes of problems seen"
        for status, why in NOT_PROVOKED.items():
            yield f"{status}: {why}. Not seen of: {', '.join(id for id, missed in self.unseen() if missed == status)}"
        yield from ("Not to be seen:", *(f"  {name}: {why}" for name, why in (NOT_TO_BE_SEEN | KINDS_NOT_TO_BE_SEEN).items()))
        yield from (f"MISSING: {line}" for line in self.missing())

    def _take(self, line: Line, operations: "list[tuple[re.Pattern[str], Line]]") -> None:
        headers = {name.lower(): value for name, value in line["answered"]}
        if headers.get("content-type") == "application/problem+json" and line["answer"]:
            problem = json.loads(line["answer"])
            self.kinds.add(problem["type"].partition("#")[2])
            self.codes.add(problem["code"])
        id = _operation(line, operations)
        if id is not None:
            self.roles.setdefault(id, set()).add(line["role"])
            self.languages.setdefault(id, set()).add(_language(line))
            self.statuses.setdefault(id, set()).add(line["status"])
            self.media.setdefault(id, set()).add(headers.get("content-type", "").partition(";")[0])


def _is_provoked(id: str, status: int) -> bool:
    return (id, status) not in TIMED | ELSEWHERE and (status not in NOT_PROVOKED or (id, status) in PROVOKED)


def _language(line: Line) -> str:
    spoken = {name.lower(): value for name, value in line["headers"].items()}.get("accept-language", "")
    return "de" if spoken.startswith("de") else "" if spoken in ("", "en") else spoken


def _operations(document: Line) -> "list[tuple[re.Pattern[str], Line]]":
    paths = sorted(document["paths"].items(), key=lambda one: one[0].count("{"))  # what is named goes before what may be anything
    return [(re.compile(re.sub(r"\{[^}]+\}", "[^/]+", path.replace("{place}", ".+"))), methods) for path, methods in paths]


def _operation(line: Line, operations: "list[tuple[re.Pattern[str], Line]]") -> str | None:
    path, method = line["target"].partition("?")[0], "get" if line["method"] == "HEAD" else line["method"].lower()
    methods = [methods for pattern, methods in operations if pattern.fullmatch(path)]
    return next((str(one[method]["operationId"]) for one in methods if method in one), None)


def _media(operation: Line) -> set[str]:
    answers = (answer for status, answer in operation["responses"].items() if status.startswith("2"))
    return {media for answer in answers for media in answer.get("content", {})}
