"""Every single place of a stored event, and another value in it."""

from collections.abc import Iterator
from copy import deepcopy
from typing import Any


def places_of(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The paths to all single values within decoded JSON."""
    match value:
        case dict():
            for key, item in value.items():
                yield from places_of(item, (*path, key))
        case list():
            for number, item in enumerate(value):
                yield from places_of(item, (*path, number))
        case _:
            yield path


def other(value: Any) -> Any:
    match value:
        case bool():
            return not value
        case int():
            return value + 1
        case str():
            return value[:-1] + chr(ord(value[-1]) ^ 1)
    return 1


def changed_at(body: Any, path: tuple[str | int, ...]) -> Any:
    copied = deepcopy(body)
    within = copied
    for step in path[:-1]:
        within = within[step]
    within[path[-1]] = other(within[path[-1]])
    return copied
