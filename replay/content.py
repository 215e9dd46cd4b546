"""Content digest of records, by which equal games are recognised however they are written; and the comparison of recorded with recomputed
values.

Time and place of play are content: two results that are equal on two evenings are two games. The name of a record, its note, its source and
the expectations of a case file are no content: no event holds them. Nothing that is content can be erased, so the digest leads to nothing
that is gone. docs/decisions/0025-known-again.md and 0033-records-from-elsewhere.md give the reasons.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from hashlib import sha256
from itertools import zip_longest
from typing import Any, TypeAlias

import msgspec

from domain.cards import Card
from domain.effects import Effects, Plain
from domain.errors import Refused
from domain.events import Event, Recorded
from domain.events.game import GameOpened
from domain.game import project
from domain.rules import Ruleset, Rulesets
from domain.setup import Setup
from replay.export import hands_of
from replay.external_context import context_of


def content_digest(events: Sequence[Event], ruleset: Ruleset) -> str:
    """Return the SHA-256 in hexadecimal of the game that a simple record makes (``events_of``): set-up, players, decks, moves, and time and
    place if it states them.

    So decks are filled up, and an omitted option equals one that was given its default.
    """
    opened = events[0]
    assert isinstance(opened, GameOpened)
    setup = opened.setup
    hands = list(hands_of(events))
    content: tuple[Any, ...] = (setup.ruleset, setup.seats, _strip_default_options(setup, ruleset), opened.players, hands)
    if context := context_of(opened):  # a record without context keeps the digest that it had before records could state one
        content += (context,)
    return sha256(msgspec.json.encode(content, order="deterministic")).hexdigest()


def standing_digest(history: Sequence[Recorded], rulesets: Rulesets) -> str:
    """Return the content digest of a whole history, without void events."""
    game = project(None, history)
    assert game is not None
    standing = [recorded.event for recorded in history if not game.is_void(recorded.position)]
    return content_digest(standing, rulesets[game.setup.ruleset])


def _strip_default_options(setup: Setup, ruleset: Ruleset) -> dict[str, Any]:
    """Return the options without defaults: an option that a later version adds must not make another game of the same file."""
    try:
        usual = ruleset.bind({}, setup.seats).setup.options
    except Refused:  # a ruleset may have an option that has to be given
        usual = dict[str, Plain]()
    return {name: value for name, value in setup.options.items() if name not in usual or usual[name] != value}


# Compare a recorded value with the recomputed one, byte by byte, and name the first difference in a short text.


Sides: TypeAlias = tuple[str, str]
"""The recorded side and the recomputed one."""

LONGEST = 400  # characters of each side; a whole table would bury the difference
_NOTHING = "nothing"
_ENCODER = msgspec.json.Encoder(order="deterministic")


def same_bytes(recorded: object, recomputed: object) -> bool:
    """Return whether both are equal as bytes: Python takes True for 1, and 1 for 1.0."""
    return _ENCODER.encode(recorded) == _ENCODER.encode(recomputed)


def in_effects(recorded: Effects, recomputed: Effects) -> Sides:
    """Return the first effect that differs."""
    for number, (left, right) in enumerate(zip_longest(recorded, recomputed)):
        if not same_bytes(left, right):
            return _effect(number, left), _effect(number, right)
    return _NOTHING, _NOTHING


def _effect(number: int, effect: object) -> str:
    return f"effect {number}: {_NOTHING if effect is None else as_stored(effect)}"


def in_values(recorded: object, recomputed: object) -> Sides:
    """Return the first place within the values that differs, with both values there."""
    path, left, right = _parting(_json(recorded), _json(recomputed))
    return shorten(f"{path}: {as_stored(left)}"), shorten(f"{path}: {as_stored(right)}")


def _parting(left: Any, right: Any, path: str = "") -> tuple[str, Any, Any]:
    match left, right:
        case dict(), dict():
            for key in [*left, *(key for key in right if key not in left)]:
                if key not in left or key not in right:
                    return f"{path}.{key}", left.get(key), right.get(key)
                if not same_bytes(left[key], right[key]):
                    return _parting(left[key], right[key], f"{path}.{key}".lstrip("."))
        case list(), list() if len(left) == len(right) and any(isinstance(item, (dict, list)) for item in left):
            for number, (one, other) in enumerate(zip(left, right, strict=True)):
                if not same_bytes(one, other):
                    return _parting(one, other, f"{path}[{number}]")
    return path.lstrip("."), left, right


def in_cards(lying: Iterable[Card], deck: Sequence[Card]) -> Sides | None:
    """Return the surplus and missing cards, copies counted; ``None`` where each lies once."""
    found, whole = Counter(lying), Counter(deck)
    if found == whole:
        return None
    parts = [f"{name}: {' '.join(sorted(cards.elements()))}" for name, cards in (("surplus", found - whole), ("missing", whole - found))]
    return shorten("; ".join(part for part in parts if not part.endswith(": "))), f"the {len(deck)} cards of the deck"


def as_stored(value: object) -> str:
    """Return the value as it would be stored."""
    return shorten(_ENCODER.encode(value).decode())


def shorten(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def _json(value: object) -> Any:
    return msgspec.json.decode(_ENCODER.encode(value))
