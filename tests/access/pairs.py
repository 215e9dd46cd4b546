"""Non-interference by many pairs of games, of every ruleset and kind."""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import cycle, islice, product
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import TypeAlias, get_args

from domain.games import RULESETS
from tests.access.fair import Stage, fair_differences
from tests.access.interference import differences
from tests.access.twins import Otherwise, twins

Kind: TypeAlias = Callable[[str, Path, Random, float], Iterator[str]]
"""The differences of a pair of games of a ruleset."""


def _of_decks_as_they_come(otherwise: Otherwise, until: bool, key: str, folder: Path, chance: Random, share: float) -> Iterator[str]:
    return differences(twins(key, chance, otherwise, until=until), folder, chance, share)


def _of_fair_decks(stage: Stage, key: str, folder: Path, chance: Random, share: float) -> Iterator[str]:
    return fair_differences(key, stage, folder, chance, share)


_KINDS: dict[str, Kind] = {
    "shuffled": partial(_of_decks_as_they_come, "shuffled", False),
    "unknown": partial(_of_decks_as_they_come, "unknown", False),
    "shuffled, left in the middle": partial(_of_decks_as_they_come, "shuffled", True),
    "unknown, left in the middle": partial(_of_decks_as_they_come, "unknown", True),
    **{f"a deck that nobody chose, {stage}": partial(_of_fair_decks, stage) for stage in get_args(Stage)},
}


def answers_that_differ(pairs: int, seed: int, share: float) -> Iterator[tuple[str, list[str]]]:
    """So many pairs of games, round through rulesets and kinds: each by its name, with what differs for a share of all readers."""
    for number, (kind, key) in enumerate(islice(cycle(product(_KINDS, sorted(RULESETS))), pairs)):
        with TemporaryDirectory() as folder:
            yield f"pair {number}: {key}, {kind}", list(_KINDS[kind](key, Path(folder), Random(f"{seed} {number}"), share))
