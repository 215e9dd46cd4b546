"""``python -m tests.access``: non-interference over all exits, by as many pairs of games as are asked for; exit code 1 for a difference."""

import argparse
import sys
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


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=42, help="of games; they go round through rulesets and kinds")
    parser.add_argument("--seed", default="access")
    parser.add_argument("--share", type=float, default=1.0, help="of all exits and readers, by chance")
    given = parser.parse_args()
    kinds, found = cycle(product(_KINDS, sorted(RULESETS))), 0
    for number, (kind, key) in enumerate(islice(kinds, given.pairs)):
        with TemporaryDirectory() as folder:
            for difference in _KINDS[kind](key, Path(folder), Random(f"{given.seed} {number}"), given.share):
                found += 1
                print(f"pair {number} ({key}, {kind}): {difference}")
        print(f"pair {number}: {key}, {kind}", flush=True)
    print(f"{given.pairs} pairs, {found} answers differ")
    return int(found > 0)


sys.exit(main())
