"""``./run refusals`` prints every refusal of every game, as it was really raised: code, rules, English, German.

Exits 1 if a code could not be raised.
"""

import sys

import click

from domain.games import RULESETS
from tests.refusals.told import told


def main() -> int:
    seen = set()
    for one in told():
        seen.add((one.game, one.code))
        click.echo(f"{one.game} · {one.code} · {', '.join(one.rules)} · {one.english} · {one.german}")
    never = [f"{key}: {code}" for key, ruleset in RULESETS.items() for code in ruleset.about().codes if (key, code) not in seen]
    for code in never:
        click.echo(f"never raised: {code}", err=True)
    return int(bool(never))


if __name__ == "__main__":
    sys.exit(main())
