"""Non-interference: what a reader may not see changes nothing that he is answered, at any exit (Goguen and Meseguer, 1982)."""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from tests.access.exits import exits
from tests.access.house import Evening, house
from tests.access.twins import Twins


def differences(one: Twins, folder: Path, chance: Random, share: float = 1.0) -> Iterator[str]:
    """Records both twins, each in a house of its own, and asks at every exit for every reader, or by chance at a share of them. Names each
    answer that differs.
    """
    with house(folder / "one") as first, house(folder / "other") as second:
        evenings = Evening(first, one, one.decks[0]), Evening(second, one, one.decks[1])
        for (asked, answer), (_, other) in zip(*(evening.answers for evening in evenings), strict=True):
            if answer != other:
                yield f"a recorder who sees what is public, {asked}:\n  {answer!r}\n  {other!r}"
        for (who, listener), other in zip(evenings[0].listeners.items(), evenings[1].listeners.values(), strict=True):
            if listener.told() != other.told():
                yield f"{who[0]}, who follows {who[1]}:\n  {listener.told()}\n  {other.told()}"
        for reader in evenings[0].readers:
            for way in exits(evenings[0]):
                if chance.random() >= share:
                    continue
                told = [_told(evening.house.ask(reader, way.method, way.target, way.body, **way.headers)) for evening in evenings]
                if told[0] != told[1]:
                    yield f"{reader}, {way}:\n  {told[0]}\n  {told[1]}"


def _told(answer: Any) -> tuple[int, dict[str, str], bytes]:
    """All of it, byte for byte."""
    return answer.status_code, dict(answer.headers), answer.content
