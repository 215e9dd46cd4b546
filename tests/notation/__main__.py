"""``./run notation`` plays 300 random games of every ruleset that has a grammar, writes their moves in full, in short form and in words, in
every language, reads them back, and counts what a move costs in keys. Exits 1 at the first difference.
"""

import sys
from collections.abc import Iterator
from itertools import cycle
from statistics import mean

import click

from domain.notation.syntax import MoveContext
from domain.notation.writing import notation_of
from domain.sight import PUBLIC, masked
from domain.table import Table
from domain.texts import LANGUAGES
from tests.domain.games.conftest import random_game
from tests.domain.games.setups import TRIED
from tests.laws import Playout, Step
from tests.notation.figures import Keys, keys
from tests.notation.law import full_forms_are_read_back, notated, short_forms_are_read_back, words_are_read_back


@click.command()
@click.option("--games", default=300, show_default=True, help="Games of each ruleset.")
@click.option("--only", multiple=True, type=click.Choice(notated()), help="Only this ruleset.")
@click.option("--seed", default=0, show_default=True, help="Another seed plays other games.")
@click.option("--longest", default=150, show_default=True, help="Steps of a game that are looked at.")
@click.option("--every", default=20, show_default=True, help="Of so many moves one is written in short form, and its keys are counted.")
def main(games: int, only: tuple[str, ...], seed: int, longest: int, every: int) -> None:
    """Holds random games against the law of the notation."""
    for key in only or notated():
        set_ups = TRIED[key]().set_ups
        moves = 0
        counted: dict[tuple[str, bool], list[Keys]] = {(language, unknown): [] for language in LANGUAGES for unknown in (False, True)}
        for number, set_up in zip(range(games), cycle(set_ups), strict=False):
            playout = random_game(key, set_up._replace(longest=longest), f"{seed}/{number}")
            _hold(playout, every, f"{key}, {set_up}, seed {seed}/{number}")
            moves += len(list(playout.moves()))
            for (language, unknown), found in counted.items():
                found.extend(_counted(playout, every, language, unknown=unknown))
        click.echo(f"{key}: {moves} moves written and read back in {len(LANGUAGES)} languages, no difference")
        for (language, unknown), found in counted.items():
            click.echo(f"  {language}, hand {'unknown' if unknown else 'known'}: {_told(found)}")


def _hold(playout: Playout, every: int, name: str) -> None:
    laws = (
        full_forms_are_read_back(playout),
        short_forms_are_read_back(playout, every),
        short_forms_are_read_back(playout, every, unknown=True),
        words_are_read_back(playout, every),
    )
    for law in laws:
        if breach := next(law, None):
            click.echo(f"{name}: {breach}", err=True)
            sys.exit(1)


def _counted(playout: Playout, every: int, language: str, *, unknown: bool) -> Iterator[Keys]:
    notation, chance = notation_of(playout.rulebook), playout.random("keys")
    for step, move in (step for step in playout.moves() if chance.randrange(every) == 0):
        yield keys(MoveContext(notation, _table(step, unknown=unknown), step.seat), move, language)


def _table(step: Step, *, unknown: bool) -> Table:
    return masked(step.before, PUBLIC) if unknown else step.before


def _told(found: list[Keys]) -> str:
    if not found:
        return "no moves"
    columns = {name: [getattr(one, name) for one in found] for name in ("quick", "strict", "short", "full")}
    return ", ".join(f"{name} {mean(values):.2f} (max {max(values)})" for name, values in columns.items()) + f"; {len(found)} moves"


if __name__ == "__main__":
    main()
