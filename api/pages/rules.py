"""The rules of a game, each at an anchor with its number, to which refusals and rulings link.

They are public and contain nothing about games in progress, so they are read from the rulesets directly.
"""

import re
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from functools import cache
from typing import Any

from litestar.params import FromPath
from markdown_it import MarkdownIt
from msgspec import Struct

from api.common.pages.shell import Page, build_page_response, page_language, words
from api.common.rulebooks import about_of
from api.http.operations import shows
from api.http.request import Request, services_of
from api.http.response import Response
from domain.errors import Unknown
from domain.rules import About, Ruleset
from domain.setup import Presets
from domain.texts import COMMON, card_sign, words_of
from domain.texts.rule_sections import RuleSection
from replay.sample_games import find_minimum_seats

_COMMON = "COM-"
_NUMBER = re.compile(r"\b[A-Z]{3}-[0-9]+\b")


class _Card(Struct, frozen=True):
    """A card. ``sign`` and ``name`` are for readers who see no drawing."""

    code: str
    sign: str
    name: str


class _Option(Struct, frozen=True):
    """An option. All are words; ``default`` is empty where it depends on another option. ``source``: its value in the preset ``source``;
    ``word``: the word of the source on it, empty where the source leaves it open.
    """

    name: str
    values: str
    default: str
    source: str
    word: str


@shows("/rules", "rules_page", "Show the games of this service", role="anybody")
async def rules_page(request: Request) -> Response:
    language = page_language(request)
    games = [(key, about_of(ruleset).names[language]) for key, ruleset in services_of(request).rulesets.items()]
    title = words(language)["rules.title"]
    return await build_page_response(request, Page(template="rules.html.j2", title=title, values={"games": games}, public=True))


@shows("/rules/{ruleset:str}", "ruleset_page", "Show the numbered rules of a game, its options and its cards", role="anybody")
async def ruleset_page(request: Request, ruleset: FromPath[str]) -> Response:
    found = services_of(request).rulesets.get(ruleset)
    if found is None:
        raise Unknown("ruleset", ruleset)
    language = page_language(request)
    about, said = about_of(found, language), words(language)
    page = Page(
        template="ruleset.html.j2",
        title=said["rules.of"].format(game=about.names[language]),
        description=said["rules.about"].format(game=about.names[language]),
        values=_values(found, about, language, said),
        script="rules.js",
        styles=("cards.css", "rules.css"),
        public=True,
    )
    return await build_page_response(request, page)


def _values(ruleset: Ruleset, about: About, language: str, said: Mapping[str, str]) -> dict[str, Any]:
    definition = _definition(ruleset)
    named = {**words_of(COMMON, language), **about.words.get(language, {}), **_names(definition, language)}
    cards = {code: _Card(code, card_sign(named, code), named.get(f"card.{code}", code)) for code in dict.fromkeys(about.deck)}
    own = [chapter for chapter in about.chapters if not _is_common(chapter)]
    return {
        "name": about.names[language],
        "lead": _block(own[0].lead),
        "chapters": [chapter for chapter in about.chapters if chapter.rules or chapter.decided],
        "decided": next((chapter.title for chapter in about.chapters if chapter.decided), None),
        "examples": {example.rule: [one for one in about.examples if one.rule == example.rule] for example in about.examples},
        "marks": {number: ", ".join(said[f"rules.mark.{mark}"] for mark in marks) for number, marks in about.marks.items()},
        "options": list(_options(about, named, said)),
        "cards": cards,
        "deck": definition or about.deck_kind,
        "inline": lambda text: _link_rules(_inline(text), {number for chapter in about.chapters for number, _ in chapter.rules}),
        "block": _block,
        "spoken": language,
        "is_common": _is_common,
    }


def _is_common(chapter: RuleSection) -> bool:
    """Return whether the chapter holds in every game."""
    return any(number.startswith(_COMMON) for number, _ in chapter.rules)


def _definition(ruleset: Ruleset) -> dict[str, Any] | None:
    """Return the definition of the usual deck of the game, where decks are data."""
    options = ruleset.bind({}, find_minimum_seats(ruleset, {})).setup.options
    found = options.get("deck_def")
    return dict(found) if isinstance(found, Mapping) else None


def _names(definition: dict[str, Any] | None, language: str) -> dict[str, str]:
    if definition is None:
        return {}
    return {f"card.{one['id']}": one.get(f"name_{language}", one["name"]) for one in definition["cards"]}


def _options(about: About, named: Mapping[str, str], said: Mapping[str, str]) -> Iterator[_Option]:
    for name, schema in about.options["$defs"]["Options"]["properties"].items():
        default = _word_value(schema["default"], said) if "default" in schema else ""
        yield _Option(name, _in_words(schema, said), default, _word_preset(about.presets, name, said), named.get(f"source.{name}", ""))


def _word_preset(presets: Presets, name: str, said: Mapping[str, str]) -> str:
    """Return the value in the preset ``source``: one, or one for each option on which the preset depends."""
    found = [preset for preset in presets if preset.name == "source"]
    values = [_word_value(preset.options[name], said) for preset in found]
    if len(set(values)) == 1:
        return values[0]
    return "; ".join(f"{', '.join(map(str, preset.when.values()))}: {value}" for preset, value in zip(found, values, strict=True))


def _in_words(schema: Mapping[str, Any], said: Mapping[str, str]) -> str:
    match schema:
        case {"anyOf": kinds}:
            return ", ".join(_in_words(kind, said) for kind in kinds)
        case {"enum": values}:
            return ", ".join(_word_value(value, said) for value in values)
        case {"$ref": _}:
            return said["rules.own_deck"]
        case {"examples": values}:
            return ", ".join(map(str, values))
        case {"minimum": least, "maximum": most}:
            return f"{least} – {most}"
        case {"minimum": least}:
            return f"{least} –"
        case {"type": "boolean"}:
            return f"{said['rules.yes']}, {said['rules.no']}"
        case {"type": "null"}:
            return said["rules.nothing"]
        case {"type": "array", "prefixItems": [first, *_]}:
            return f"{_in_words(first, said)}, {said['rules.seats']}"
        case _:
            raise AssertionError(schema)


def _word_value(value: object, said: Mapping[str, str]) -> str:
    if value is None:
        return said["rules.nothing"]
    if isinstance(value, (list, tuple)):
        return ", ".join(_word_value(one, said) for one in value)
    return said["rules.yes" if value else "rules.no"] if isinstance(value, bool) else str(value)


@cache
def _markdown() -> MarkdownIt:
    """Return a parser without HTML and pictures: rules are text, and the result is safe."""
    return MarkdownIt("commonmark", {"html": False}).disable("image")


def _inline(text: str) -> str:
    return str(_markdown().renderInline(text))


def _link_rules(text: str, numbers: AbstractSet[str]) -> str:
    """Link the numbers of rules of this page."""
    return _NUMBER.sub(lambda found: f'<a href="#{found[0]}">{found[0]}</a>' if found[0] in numbers else found[0], text)


def _block(text: str) -> str:
    return str(_markdown().render(text))
