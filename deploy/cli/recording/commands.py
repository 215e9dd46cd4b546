"""What begins with a slash is said to the program and not to the record."""

from collections.abc import Sequence
from typing import Literal, NamedTuple, TypeAlias, get_args

from deploy.system.language import sentence
from domain.texts import FALLBACK

Name: TypeAlias = Literal["undo", "drop", "moves", "table", "seat", "dealer", "shuffle", "deck", "board", "result", "help", "quit"]

SIGN = "/"
NAMES: tuple[Name, ...] = get_args(Name)


class Command(NamedTuple):
    name: Name
    rest: str

    @property
    def number(self) -> int | None:
        """What stands behind it, if that is a number."""
        return int(self.rest) if self.rest.isascii() and self.rest.isdecimal() and len(self.rest) < 6 else None


def called(name: Name, language: str) -> str:
    """A command as it is typed in this language; the English words are always understood."""
    return SIGN + sentence(f"record_command.{name}", language)


def command_of(line: str, language: str) -> Command | None:
    """The command that is meant; as many letters as tell it from the others will do. ``None`` where it is none, or may be several."""
    word, _, rest = line.partition(" ")
    meant = {name for name in NAMES for spoken in (language, FALLBACK) if called(name, spoken).startswith(word.lower())}
    exact = {name for name in NAMES for spoken in (language, FALLBACK) if called(name, spoken) == word.lower()}
    found = exact or meant
    return Command(found.pop(), rest.strip()) if len(found) == 1 else None


def explained(language: str) -> Sequence[str]:
    """A line a command."""
    typed = {name: called(name, language) for name in NAMES}
    wide = max(map(len, typed.values()))
    return [f"{typed[name]:<{wide}}  {sentence(f'record_help.{name}', language)}" for name in NAMES]
