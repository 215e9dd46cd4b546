"""``python -m tests.access``: non-interference over all exits, by as many pairs of games as are asked for; exit code 1 for a difference."""

import argparse
import sys
from itertools import cycle, islice, product
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from domain.games import RULESETS
from tests.access.interference import differences
from tests.access.twins import Otherwise, twins

_KINDS: tuple[tuple[Otherwise, bool], ...] = (("shuffled", False), ("unknown", False), ("shuffled", True), ("unknown", True))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=24, help="of games; they go round through rulesets and kinds")
    parser.add_argument("--seed", default="access")
    parser.add_argument("--share", type=float, default=1.0, help="of all exits and readers, by chance")
    given = parser.parse_args()
    kinds, found = cycle(product(_KINDS, sorted(RULESETS))), 0
    for number, ((otherwise, until), key) in enumerate(islice(kinds, given.pairs)):
        chance = Random(f"{given.seed} {number}")
        with TemporaryDirectory() as folder:
            for difference in differences(twins(key, chance, otherwise, until=until), Path(folder), chance, given.share):
                found += 1
                print(f"pair {number} ({key}, {otherwise}): {difference}")
        print(f"pair {number}: {key}, {otherwise}{', left in the middle' if until else ''}", flush=True)
    print(f"{given.pairs} pairs, {found} answers differ")
    return int(found > 0)


sys.exit(main())
