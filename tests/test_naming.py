"""Names use words of the field and of the card table. At most forty others are kept, each with its reason in the glossary.
Functions of the pages' scripts are verbs.

``naming/field_words.txt``: words in the definitions of at least three of some sixty well-known Python projects; ``naming/table_words.txt``:
words of card tables, tournaments, records and proofs.
"""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = ("domain", "api", "projections", "replay", "deploy")
KEPT = 40
OCCURRENCES = 350
_DEFINITION = re.compile(r"^ *(?:async def|def|class) (?!__)(\w+)", re.MULTILINE)
_WORD = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+")
_ENDINGS = ("", "s", "es", "ed", "d", "ing", "er")
_SCRIPT_FUNCTION = re.compile(
    r"function\s*\*?\s*(\w+)\s*\(|(?:const|let)\s+(\w+)\s*=\s*(?:async\s*)?(?:\([^()]*\)|\w+)\s*=>|"
    r"^\s{2}(?:async\s+)?(?!(?:if|for|while|switch|catch)\()(\w+)\([^)]*\)\s*\{",
    re.MULTILINE,
)
_PARTICIPLE = re.compile(
    r"(?!need$|seed$|feed$|embed$|speed$|bed$)[a-z]+ed|told|said|held|made|kept|given|taken|shown|known|begun|gone|laid|drawn|written|sent|"
    r"brought|seen|spoken|built|heard|come|stood|met|won|lost|sold|bought|thought|taught|caught|chosen|broken|driven|fallen|forgotten|grown|"
    r"hidden|ridden|risen|shaken|sworn|thrown|worn"
)
PARTICIPLES = 0.04


def known_words() -> set[str]:
    lists = [(ROOT / "tests" / "naming" / name).read_text(encoding="utf-8") for name in ("field_words.txt", "table_words.txt")]
    return {word for text in lists for line in text.splitlines() if not line.startswith("#") for word in line.split()}


def is_known(word: str, known: set[str]) -> bool:
    stems = {word.removesuffix(ending) for ending in _ENDINGS}
    return len(word) < 2 or any(stem in known or stem + "e" in known for stem in stems)


def words(name: str) -> list[str]:
    """``_RateLimiter`` and ``rate_limiter`` as rate and limiter."""
    return [word.lower() for word in _WORD.findall(name)]


def names() -> Iterator[str]:
    """Every name of a module, a class or a function of the product."""
    for package in PACKAGES:
        for path in (ROOT / package).rglob("*.py"):
            yield from (path.stem, *_DEFINITION.findall(path.read_text(encoding="utf-8")))


def own_words() -> Counter[str]:
    known = known_words()
    return Counter(word for name in names() if not name.startswith("__") for word in words(name) if not is_known(word, known))


def in_the_glossary() -> set[str]:
    _, section = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8").split("## Words of our own in names\n")
    return {word for row in re.findall(r"^- \*\*(.+?)\*\*:", section, re.MULTILINE) for word in row.split(", ")}


def script_functions() -> list[str]:
    """Names of functions and methods in the scripts of the pages."""
    texts = (path.read_text(encoding="utf-8") for path in (ROOT / "api" / "assets").rglob("*.js"))
    return [next(filter(None, found.groups())) for text in texts for found in _SCRIPT_FUNCTION.finditer(text)]


def is_participle(name: str) -> bool:
    return any(_PARTICIPLE.fullmatch(word) for word in words(name)[:1])


def test_functions_of_the_pages_scripts_are_named_by_verbs():
    """A past participle says what came back, and not what the function does; some are names of effects, which the service gives."""
    functions = script_functions()
    participles = sorted(filter(is_participle, functions))
    assert len(participles) <= PARTICIPLES * len(functions), participles


def test_words_of_our_own_in_names_are_few_and_each_has_its_reason_in_the_glossary():
    own = own_words()
    assert set(own) == in_the_glossary(), "docs/glossary.md, “Words of our own in names”: a word is new, or is gone"
    assert len(own) <= KEPT
    assert own.total() <= OCCURRENCES


def test_a_word_is_known_in_its_usual_forms_and_a_name_is_all_of_its_words():
    assert [word for word in ("caches", "cached", "caching", "cacher", "knock", "x") if not is_known(word, {"cache"})] == ["knock"]
    assert words("_HTTPRateLimiter") == ["http", "rate", "limiter"]
