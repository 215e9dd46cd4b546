"""Sessions of `kiebitz record`: lines are piped in, and what is printed is read."""

import re
from collections.abc import Iterable

from click.testing import CliRunner, Result

from deploy.cli.main import main

ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def kiebitz(*arguments: object, lines: Iterable[str] = ()) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments], input="".join(f"{line}\n" for line in lines))


def recorded(*arguments: object, lines: Iterable[str]) -> list[str]:
    """What a session prints, from its first prompt on: prompts with what was typed, and what came of it."""
    result = kiebitz("record", *arguments, lines=lines)
    assert not result.exception or isinstance(result.exception, SystemExit), result.output
    printed = result.stdout.splitlines()
    first = next(number for number, line in enumerate(printed) if " > " in line or line.endswith(" >"))
    return [line.rstrip() for line in printed[first:-1]]


def game_of(result: Result | str) -> str:
    found = ID.search(result if isinstance(result, str) else result.output)
    assert found
    return found[0]


ALCASAN = ("--ruleset", "alcasan", "--seats", 2, "--lang", "en")
