"""What was recorded beside what it should have been: equal as bytes or not, and where they part. Told in few words, never endless."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import Any, TypeAlias

import msgspec

from domain.cards import Card
from domain.effects import Effects

Sides: TypeAlias = tuple[str, str]
"""The recorded side and the recomputed one."""

LONGEST = 400
_NOTHING = "nothing"
_ENCODER = msgspec.json.Encoder(order="deterministic")


def same_bytes(recorded: object, recomputed: object) -> bool:
    """As bytes: Python takes True for 1, and 1 for 1.0."""
    return _ENCODER.encode(recorded) == _ENCODER.encode(recomputed)


def in_effects(recorded: Effects, recomputed: Effects) -> Sides:
    """The first effect that is another one."""
    for number, (left, right) in enumerate(zip_longest(recorded, recomputed)):
        if not same_bytes(left, right):
            return _effect(number, left), _effect(number, right)
    return _NOTHING, _NOTHING


def _effect(number: int, effect: object) -> str:
    return f"effect {number}: {_NOTHING if effect is None else as_stored(effect)}"


def in_values(recorded: object, recomputed: object) -> Sides:
    """The first place within the values that differs, with what stands there."""
    path, left, right = _parting(_json(recorded), _json(recomputed))
    return shortened(f"{path}: {as_stored(left)}"), shortened(f"{path}: {as_stored(right)}")


def _parting(left: Any, right: Any, path: str = "") -> tuple[str, Any, Any]:
    match left, right:
        case dict(), dict():
            for key in [*left, *(key for key in right if key not in left)]:
                if key not in left or key not in right:
                    return f"{path}.{key}", left.get(key), right.get(key)
                if not same_bytes(left[key], right[key]):
                    return _parting(left[key], right[key], f"{path}.{key}".lstrip("."))
        case list(), list() if len(left) == len(right) and any(isinstance(item, dict | list) for item in left):
            for number, (one, other) in enumerate(zip(left, right, strict=True)):
                if not same_bytes(one, other):
                    return _parting(one, other, f"{path}[{number}]")
    return path.lstrip("."), left, right


def in_cards(lying: Iterable[Card], deck: Sequence[Card]) -> Sides | None:
    """Which cards are too many and which are missing, copies counted; ``None`` where each lies once."""
    found, whole = Counter(lying), Counter(deck)
    if found == whole:
        return None
    parts = [f"{name}: {' '.join(sorted(cards.elements()))}" for name, cards in (("surplus", found - whole), ("missing", whole - found))]
    return shortened("; ".join(part for part in parts if not part.endswith(": "))), f"the {len(deck)} cards of the deck"


def as_stored(value: object) -> str:
    """As it would be stored."""
    return shortened(_ENCODER.encode(value).decode())


def shortened(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def _json(value: object) -> Any:
    return msgspec.json.decode(_ENCODER.encode(value))
