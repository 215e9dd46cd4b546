"""What `kiebitz audit` says at a terminal."""

from collections.abc import Mapping

from deploy.cli.audit_remotely import NotTold
from deploy.language import sentence
from replay.findings import Audit, Divergence, StreamAudit, Verdict

_SIGNS: Mapping[Verdict, str] = {"sound": "✓", "divergent": "✗", "not_judged": "?"}


def in_words(found: Audit | StreamAudit | NotTold, language: str) -> str:
    """A line, and below it whatever is not as it should be."""
    if isinstance(found, NotTold):
        return f"? {_named(found.kind, found.id, language)}: {sentence('audit_not_told', language)}"
    verdict = sentence(f"audit_{found.verdict}", language, count=len(found.divergences), judged=found.judged, events=found.events)
    lines = [f"{_SIGNS[found.verdict]} {_subject(found, language)}: {verdict}"]
    lines += [_divergence(one, language) for one in found.divergences]
    lines += [f"    {sentence('audit_left', language, first=one.first, last=one.last)}: {one.reason}" for one in found.unjudged]
    lines += [f"    {sentence('audit_position', language, position=one.position)}: {one.text}" for one in found.remarks]
    return "\n".join(lines)


def summary(sound: Mapping[str, tuple[int, int]], language: str) -> str:
    """Of each kind how many of how many are sound."""
    parts = [sentence(f"audited_{kind}s", language, sound=good, count=count) for kind, (good, count) in sound.items()]
    return sentence("audited", language, counts=", ".join(parts))


def _subject(found: Audit | StreamAudit, language: str) -> str:
    if isinstance(found, Audit):
        return f"{found.game} {found.ruleset or '?'}"
    return _named(found.kind, found.id or str(found.stream), language)


def _named(kind: str, id: str, language: str) -> str:
    return sentence(f"audit_{kind}", language, id=id)


def _divergence(one: Divergence, language: str) -> str:
    place, kind = sentence("audit_position", language, position=one.position), sentence(f"audit_{one.kind}", language)
    recorded, recomputed = sentence("audit_recorded", language), sentence("audit_recomputed", language)
    return f"    {place}: {kind}\n        {recorded}: {one.recorded}\n        {recomputed}: {one.recomputed}"
