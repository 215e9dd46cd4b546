"""Form fields from the options that a ruleset describes: a new game gets its form with its description."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, get_args

from msgspec import Struct

from api.common.pages.shell import words
from domain.errors import Refused
from domain.events.game import OpensWhen
from domain.events.tournament import HallNames, Publication
from domain.opening import find_missing_parent
from domain.rules import Ruleset
from domain.standings.plan import FORMATS, Entrants, PointsBy, ScoredBy, SeriesTieBreak, SharedPlaces
from domain.standings.tie_breaks import TIE_BREAKS
from domain.texts import Texts, load_catalog, words_of
from domain.tournament.publication import PairingsBy, Shown

_MOST_SEATS = 8
"""Larger tables have to be announced through the API."""


class Field(Struct, frozen=True, kw_only=True):
    """A field of a form.

    ``value`` is its initial value. ``values`` of a choice with their words; ``least`` and ``most`` of a number; ``count`` of several
    numbers.
    """

    name: str
    label: str
    kind: Literal["choice", "number", "tick", "numbers"]
    value: Any = None
    values: Sequence[tuple[Any, str]] = ()
    least: int | None = None
    most: int | None = None
    count: int = 1


def option_fields(schema: Mapping[str, Any], given: Mapping[str, Any], said: Texts) -> list[Field]:
    """Return the fields of the options. ``schema`` as a ruleset describes it; ``given``: options that were chosen already."""
    properties: Mapping[str, Any] = schema["$defs"]["Options"]["properties"]
    return [_field(name, one, given.get(name, one.get("default")), said) for name, one in properties.items()]


def seats_of(ruleset: Ruleset) -> list[int]:
    """Return the sizes of tables at which the game can be played."""
    return [seats for seats in range(1, _MOST_SEATS + 1) if _fits(ruleset, seats)]


def default_seats(ruleset: Ruleset) -> int:
    """Return the size of a table that a form offers first: the largest at which two parties meet, else the smallest."""
    sizes = seats_of(ruleset)
    return max((seats for seats in sizes if len(ruleset.bind({}, seats).setup.parties) == 2), default=sizes[0])


def _fits(ruleset: Ruleset, seats: int) -> bool:
    try:
        ruleset.bind({}, seats)
    except Refused:
        return False
    return True


def _field(name: str, schema: Mapping[str, Any], value: object, said: Texts) -> Field:
    plain = _plain(schema)
    label = said.get(f"option.{name}") or schema.get("description") or plain.get("description", name)
    match plain:
        case {"type": "boolean"}:
            return Field(name=name, label=label, kind="tick", value=value)
        case {"type": "integer"}:
            return Field(name=name, label=label, kind="number", value=value, least=plain.get("minimum"), most=plain.get("maximum"))
        case {"type": "array", "prefixItems": [first, *_]}:
            count = len(plain["prefixItems"])
            return Field(
                name=name, label=label, kind="numbers", value=value, count=count, least=first.get("minimum"), most=first.get("maximum")
            )
        case _:
            return Field(name=name, label=label, kind="choice", value=value, values=list(_values(name, plain, schema, said)))


def _plain(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the first of several alternatives: the others are null, or nothing that anybody would type into a form."""
    first: Mapping[str, Any] = schema["anyOf"][0] if "anyOf" in schema else schema
    return first


def _values(name: str, plain: Mapping[str, Any], schema: Mapping[str, Any], said: Texts) -> Iterator[tuple[Any, str]]:
    """Yield the choices; the empty one first, where the ruleset has no default."""
    if "default" not in schema:
        yield "", said["field.depends"]
    for value in plain.get("enum") or plain.get("examples") or ():
        yield value, said.get(f"option.{name}.{value}", str(value))


# Closed lists of forms: their members come from the domain, their words from the catalogue.


CLOSED: Mapping[str, Sequence[str]] = {
    "plan.format": tuple(FORMATS),
    "plan.entrants": get_args(Entrants),
    "plan.by": get_args(ScoredBy),
    "plan.tie_break": tuple(TIE_BREAKS),
    "plan.openness": get_args(OpensWhen),
    "hall_names": get_args(HallNames),
    "publish": get_args(Publication),
    "wall.show": get_args(Shown),
    "wall.by": get_args(PairingsBy),
    "series.by": get_args(PointsBy),
    "series.ties": get_args(SharedPlaces),
    "series.tie_break": get_args(SeriesTieBreak),
}
"""The members, by the prefix of their keys in the catalogue."""

Choice = tuple[str, str]


def choices(said: Texts) -> Mapping[str, Sequence[Choice]]:
    """Return each list as pairs of a member and its name."""
    return {name: [(one, said[f"{name}.{one}"]) for one in members] for name, members in CLOSED.items()}


def openness_of_a_game(said: Texts) -> Sequence[Choice]:
    """Return the choices for a game that belongs to no tournament."""
    return [(one, says) for one, says in choices(said)["plan.openness"] if find_missing_parent(one, None, None) is None]  # pyrefly: ignore[bad-argument-type]


# The texts of the director's pages: those of all pages, and those of this folder.


def directing_words(language: str) -> Texts:
    return {**words(language), **words_of(load_catalog("api.pages.directing"), language)}
