"""Non-interference: what a reader may not see changes nothing that he is answered, at any exit (Goguen and Meseguer, 1982)."""

from collections.abc import Callable, Iterator, Sequence
from math import ceil
from pathlib import Path
from random import Random
from re import sub
from typing import Any, TypeAlias

from api.http.response import content_hash
from tests.access.blinded import seen_of
from tests.access.exits import exits
from tests.access.house import Evening, House, house
from tests.access.twins import Twins

Recorded: TypeAlias = Callable[[House, Twins, tuple[str, ...], Sequence[str]], Evening]
"""How one of the twins is recorded, given the order of its deck and who follows meanwhile."""


def differences(
    one: Twins,
    folder: Path,
    chance: Random,
    share: float = 1.0,
    record: Recorded = Evening,
    followers: Sequence[str] = (),
    asked: slice = slice(None),
) -> Iterator[str]:
    """Records both twins, each in a house of its own, and asks at every exit for every reader, or for a share of them that chance picks
    for each exit. ``followers``: the readers who follow meanwhile, all of them where none are named; ``asked``: which of the exits
    are asked. Names each answer that differs.
    """
    with house(folder / "one") as first, house(folder / "other") as second:
        evenings = record(first, one, one.decks[0], followers), record(second, one, one.decks[1], followers)
        for (what, told), (_, other) in zip(*map(_while_recorded, evenings), strict=True):
            if told != other:
                yield f"{what}:\n  {told!r}\n  {other!r}"
        readers = evenings[0].readers
        for way in list(exits(evenings[0]))[asked]:
            for reader in chance.sample(readers, ceil(len(readers) * share)):
                answers = [
                    evening.blinded(_told(evening.house.ask(reader, way.method, way.target, way.body, **way.headers)))
                    for evening in evenings
                ]
                if answers[0] != answers[1]:
                    yield f"{reader}, {way}:\n  {answers[0]}\n  {answers[1]}"


def _while_recorded(evening: Evening) -> Iterator[tuple[str, object]]:
    """What came to those who acted with the eyes of the public, to those who followed, and to webhooks, byte for byte."""
    for asked, answer in evening.answers:
        yield f"a recorder who sees what is public, {asked}", evening.blinded(answer)
    for (reader, target), listener in evening.listeners.items():
        yield f"{reader}, who follows {target}", evening.blinded(listener.told())
    for name, sent in evening.delivered.items():
        yield f"the webhook of a {name}", evening.blinded(sent)


def _told(answer: Any) -> tuple[int, dict[str, str], object]:
    """All of it, byte for byte; but of what is signed and committed to blindly only the form."""
    path, headers = answer.request.url.path, dict(answer.headers)
    if "/v1/log/" in path and "etag" in headers:  # it has a digest of what was signed
        headers["etag"] = sub(r"[0-9a-f]{32}", "digest", headers["etag"])
    elif "etag" in headers:  # a digest of what is told tells no more
        headers["etag"] = headers["etag"].replace(content_hash(answer.content), "digest")
    return answer.status_code, headers, seen_of(path, answer.status_code, answer.content)
