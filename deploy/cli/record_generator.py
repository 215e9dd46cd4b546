"""Command `kiebitz simulate`: writes random legal games as records."""

from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

import click
import msgspec

from deploy.cli.console import game_option_flags, game_options, progress
from deploy.cli.files import open_output
from deploy.config.failures import Failure, lang_option, sentence
from domain.errors import Refused
from domain.games import RULESETS
from domain.rules import Ruleset
from replay.sample_games import find_minimum_seats, random_record

_LONGEST = 5_000


@click.command("simulate")
@click.argument("key", metavar="RULESET", type=click.Choice(list(RULESETS)))
@click.option("--games", type=click.IntRange(min=1), default=1, show_default=True, help="Number of games.")
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed gives the same games.")
@click.option("--seats", type=int, help="Number of seats; default: the fewest that the game allows.")
@game_option_flags
@click.option(
    "--max-moves",
    type=click.IntRange(min=1),
    default=_LONGEST,
    show_default=True,
    help="A game that is not over by then stops in the middle of a hand.",
)
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", help="Write to this file, once it is complete.")
@lang_option
def generate_records_command(
    key: str,
    games: int,
    seed: int,
    seats: int | None,
    single: tuple[str, ...],
    several: str | None,
    max_moves: int,
    out: Path | None,
    language: str,
) -> None:
    """Write random legal games as records, one on each line (NDJSON): to try out imports, exports and clients.

    \b Chance plays without any skill: it chooses among the first few legal moves that the rules name. Game number 7 of a seed is the same
    however many games are asked for. \b Examples:
      kiebitz simulate casino --games 1000 --seed 7 --out games.ndjson
      kiebitz simulate casino --seats 4 --option partners=true --option variant=royal
      kiebitz simulate quartett-trumpf --option deck_def=@my-deck.json --max-moves 200 --out games.ndjson
    """
    ruleset, options = RULESETS[key], game_options(single, several)
    taken = _seats(ruleset, options, seats, language)
    with open_output(out) as write, progress(sentence("playing_games", language), games) as advance:
        for number in range(1, games + 1):
            name = f"{key} {seed}-{number}"
            record = random_record(name, ruleset, options, taken, Random(name), max_moves)
            write(msgspec.json.encode(record) + b"\n")
            advance(number)
    click.echo(sentence("simulated", language, games=games), err=True)


def _seats(ruleset: Ruleset, options: Mapping[str, Any], seats: int | None, language: str) -> int:
    try:
        return find_minimum_seats(ruleset, options) if seats is None else ruleset.bind(options, seats).setup.seats
    except Refused as refused:
        message = ruleset.sentence(refused, language)
        raise Failure(f"{refused.code} ({', '.join(refused.rules)}). {message}", exit_code=2) from refused
