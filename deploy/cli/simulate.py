"""`kiebitz simulate`: random legal games. An option is ``name=value`` with a value that is JSON, else text, or ``@FILE`` with JSON."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from random import Random
from typing import Any

import click
import msgspec

from deploy.cli.console import progress
from deploy.cli.files import open_output
from deploy.failures import Failure, system_problem
from deploy.language import lang_option, say, sentence
from deploy.usage import WrongValue
from domain.errors import Refused
from domain.games import RULESETS
from domain.rules import Ruleset
from replay.playout import fewest_seats, random_record

_LONGEST = 5_000


@click.command("simulate")
@click.argument("key", metavar="RULESET", type=click.Choice(list(RULESETS)))
@click.option("--games", type=click.IntRange(min=1), default=1, show_default=True, help="How many games.")
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed, the same games; another one, other games.")
@click.option("--seats", type=int, help="How many seats; default: as few as the game allows.")
@click.option(
    "--option",
    "single",
    multiple=True,
    metavar="NAME=VALUE",
    help="An option of the game. The value is JSON, else text; @FILE reads it from a file. Can be repeated.",
)
@click.option("--options", "several", metavar="JSON", help="Several options as a JSON object, or @FILE.")
@click.option(
    "--max-moves",
    type=click.IntRange(min=1),
    default=_LONGEST,
    show_default=True,
    help="A game that is not over by then ends in the middle of a hand.",
)
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", help="Write to this file, when all is there.")
@lang_option
def simulate_command(
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

    \b
    Chance plays without any skill: it chooses among the first few legal moves that the rules name.
    Game number 7 of a seed is the same however many games are asked for.
    \b
    Examples:
      kiebitz simulate casino --games 1000 --seed 7 --out games.ndjson
      kiebitz simulate casino --seats 4 --option partners=true --option variant=royal
      kiebitz simulate quartett-trumpf --option deck_def=@my-deck.json --max-moves 200 --out games.ndjson
    """
    ruleset, options = RULESETS[key], _options(single, several)
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
        return fewest_seats(ruleset, options) if seats is None else ruleset.bind(options, seats).setup.seats
    except Refused as refused:
        message = ruleset.sentence(refused, language)
        raise Failure(f"{refused.code} ({', '.join(refused.rules)}). {message}", exit_code=2) from refused


def _options(single: Iterable[str], several: str | None = None) -> dict[str, Any]:
    """The options named one by one, and those given together; single ones count more. Raises click's error of usage."""
    options = _object(several) if several else {}
    for given in single:
        name, equals, value = given.partition("=")
        if not name or not equals:
            raise WrongValue(say("not_name_value", given=given), "--option")
        options[name] = _from_file(value[1:], "--option") if value.startswith("@") else _json_or_text(value)
    return options


def _object(text: str) -> dict[str, Any]:
    value = _from_file(text[1:], "--options") if text.startswith("@") else _json_or_text(text)
    if not isinstance(value, dict):
        raise WrongValue(say("no_json_object", given=text), "--options")
    return value


def _from_file(path: str, flag: str) -> Any:
    try:
        return json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise WrongValue(say("file_problem", file=path, problem=system_problem(error.errno)), flag) from error
    except (ValueError, RecursionError) as error:
        raise WrongValue(say("no_json_file", file=path, problem=error), flag) from error


def _json_or_text(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text
