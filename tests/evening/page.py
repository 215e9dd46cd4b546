"""The page that describes the API to people: compared without what it says of schemas, under whatever names they go."""

import re
from collections.abc import Mapping, Sequence
from difflib import unified_diff

_LINK = re.compile(r'href="#schema-([^"]+)">[^<]*<')
_SECTION = re.compile(r'<section>\n<h3 id="schema-([^"]+)">[^<]*</h3>\n(.*?)</section>\s*', re.DOTALL)
_ABOUT = re.compile(r"\A\s*<p>.*?(?=<table|<div>|\Z)", re.DOTALL)
"""What a schema says of itself."""
_MEANING = re.compile(r"<td>(?:(?!<td>)[^\n])*?((?: <span class=\"quiet\">default <code>[^\n]*</code></span>)?)</td></tr>$", re.MULTILINE)
"""The last cell of a row, but for a default value."""


def pages_differ(old: str, new: str, pairs: Sequence[tuple[str, str]]) -> list[str]:
    """``pairs``: which schema of the old page is which of the new one."""
    labels = _labels(pairs)
    (first, sections), (second, others) = _read(old, labels[0]), _read(new, labels[1])
    found = list(unified_diff(first.splitlines(), second.splitlines(), "/docs before", "/docs after", lineterm="", n=1))
    for label in sorted({*sections, *others}):
        left, right = sections.get(label, ""), others.get(label, "")
        found += unified_diff(left.splitlines(), right.splitlines(), f"/docs before: {label}", f"/docs after: {label}", lineterm="", n=1)
    return found


def _labels(pairs: Sequence[tuple[str, str]]) -> tuple[Mapping[str, str], Mapping[str, str]]:
    """One label for all names, old and new, that stand for the same schema."""
    olds: dict[str, str] = {}
    news: dict[str, str] = {}
    for old, new in pairs:
        label = olds.get(old) or news.get(new) or new
        olds[old] = news[new] = label
    return olds, news


def _read(page: str, labels: Mapping[str, str]) -> tuple[str, dict[str, str]]:
    """What comes before the schemas, and each of them by its label."""
    plain = _LINK.sub(lambda found: f'href="#{labels.get(found[1], found[1])}"<', page)
    sections = {labels.get(name, name): _bare(_ABOUT.sub("", text)) for name, text in _SECTION.findall(plain)}
    return _bare(_SECTION.sub("", plain)), sections


def _bare(html: str) -> str:
    return _MEANING.sub(r"<td>\1</td></tr>", html)
