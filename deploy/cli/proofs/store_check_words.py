"""What was found when a store was held against what was signed, in words and as JSON."""

from collections.abc import Iterator, Mapping
from typing import Any
from uuid import UUID

import msgspec

from deploy.cli.proofs.store_check import Compared, Holdings, Past
from deploy.language import say, sentence, told
from deploy.log.keeper.differences import Difference
from deploy.log.keeper.typed_roots import Root
from deploy.log.keeper.verification import Held
from domain.journal.log.own import stream_of_log
from domain.texts import Saying
from replay.findings import Verdict

_SIGNS: Mapping[Verdict, str] = {"sound": "✓", "divergent": "✗", "not_judged": "?"}
_NAMED = 20  # differences that are told one by one


def as_json(holdings: Holdings) -> Iterator[str]:
    """An object for each checkpoint, each thing that cannot be used as one, and each that was said."""
    for source, problem in holdings.unusable:
        yield _encoded({"kind": "log", "source": source, "verdict": "not_judged", "why": "unusable", "problem": told(problem)})
    for one in holdings.held:
        about = {name: value for name, value in msgspec.to_builtins(one).items() if name != "named" or value}
        yield _encoded({"kind": "log", **about})
    for compared in holdings.said:
        yield _encoded({"kind": "said", **msgspec.to_builtins(compared)})


def in_words(holdings: Holdings, names: Mapping[UUID, str], language: str) -> Iterator[tuple[str, bool]]:
    """Paragraphs, each with whether it is as it should be. ``names``: what streams are called."""
    for unusable in holdings.unusable:
        yield f"✗ {told(unusable.problem, language)}", False
    for one in (one for one in holdings.held if one.named is None):
        called = {stream_of_log(one.origin): sentence("log_itself", language), **names}
        lines = [_verdict(one, language, whole=holdings.whole), *_differences(one, called, language)]
        yield "\n    ".join(lines), one.verdict == "sound"
    yield from _of_rounds(holdings, language)
    if holdings.whole and holdings.past:
        yield "\n".join(f"    {line}" for line in _history(holdings.past, language)), True
    for compared in holdings.said:
        yield _compared(compared, names, language), compared.found is not None


def _of_rounds(holdings: Holdings, language: str) -> Iterator[tuple[str, bool]]:
    """Those that events name: one by one where they are not as they should be."""
    named = [one for one in holdings.held if one.named is not None]
    wrong = [one for one in named if one.verdict != "sound"]
    for one in wrong:
        yield f"{_SIGNS[one.verdict]} {told(amiss(one), language)}", False
    if stand := len(named) - len(wrong):
        yield f"✓ {sentence('log_named_stand', language, count=stand)}", True


def amiss(one: Held) -> Saying:
    """What is the matter with one that is not as it should be."""
    about = {"origin": one.origin, "source": one.source, "size": one.size, "entries": one.entries}
    unknown = one.why == "unknown_log"
    if one.named is None:
        return say(_key(one), **about)
    otherwise = "log_named_unjudged" if one.verdict == "not_judged" else "log_named_otherwise"
    return say("log_named_unknown" if unknown else otherwise, **about, round=one.named.round, tournament=one.named.tournament)


def _verdict(one: Held, language: str, *, whole: bool) -> str:
    key = f"{_key(one)}_streams" if not whole and one.why in ("as_signed", "differs") else _key(one)
    about = {"origin": one.origin, "source": one.source, "size": one.size, "entries": one.entries}
    return f"{_SIGNS[one.verdict]} {sentence(key, language, **about)}"


def _key(one: Held) -> str:
    return "log_differs" if one.verdict == "divergent" and one.why == "no_tree" else f"log_{one.why}"


def _differences(one: Held, names: Mapping[UUID, str], language: str) -> Iterator[str]:
    for difference in one.differences[:_NAMED]:
        place = _place(difference, language)
        yield f"{names.get(difference.stream, difference.stream)}, {place}: {sentence(f'log_way_{difference.way}', language)}"
    if more := len(one.differences[_NAMED:]):
        yield sentence("log_more", language, more=more)
    if one.verdict == "divergent" and one.why == "no_tree":
        yield sentence("log_unnamed", language)


def _place(difference: Difference, language: str) -> str:
    if difference.first == difference.last:
        return sentence("audit_position", language, position=difference.first)
    return sentence("log_positions", language, first=difference.first, last=difference.last)


def _history(past: tuple[Past, ...], language: str) -> Iterator[str]:
    yield sentence("log_taken_up", language, at=past[0].began_at)
    for one in past[1:]:
        key = "log_forked_from" if one.before else "log_forked_from_nothing"
        common = sentence("log_unknown_count", language) if one.common is None else one.common
        yield sentence(key, language, at=one.began_at, before=one.before, signed=one.signed, common=common)


def _compared(one: Compared, names: Mapping[UUID, str], language: str) -> str:
    if one.found is None:
        return f"✗ {sentence('said_nothing', language, said=one.said)}"
    if isinstance(one.found, Root):
        return f"✓ {sentence('said_root', language, said=one.said, size=one.found.size, origin=one.found.origin)}"
    stream = names.get(one.found.stream, one.found.stream)
    return f"✓ {sentence('said_mark', language, said=one.said, stream=stream, position=one.found.position, origin=one.found.origin)}"


def _encoded(found: dict[str, Any]) -> str:
    return msgspec.json.encode(found).decode()
