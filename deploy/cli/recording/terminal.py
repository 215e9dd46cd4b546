"""Where lines are typed and what came of them is shown. Without a terminal, or without what edits lines: plain lines, one after another."""

import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

import click
from msgspec import Struct

from deploy.cli.console import print_line


def nothing_more(typed: str) -> Iterator[str]:
    """Nothing is known of what may be typed here."""
    return iter(())


def nothing_said(typed: str) -> str:
    return ""


class Asking(Struct, frozen=True):
    """What a line is asked for with. ``empty``: what the empty line does. ``further``: lines that begin with what is typed;
    ``meaning``: what a line would do, in words."""

    prompt: str
    empty: str = ""
    further: Callable[[str], Iterator[str]] = nothing_more
    meaning: Callable[[str], str] = nothing_said


class Terminal(Protocol):
    @property
    def is_piped(self) -> bool:
        """Whether nobody sits there."""

    def draw(self, table: Sequence[str], *, asked: bool) -> None:
        """The table as it lies now. ``asked``: somebody wants to see it."""

    def tell(self, text: str, style: str | None = None) -> None:
        """What happened, or why nothing did."""

    def ask(self, asking: Asking) -> str | None:
        """The next line; ``None`` where there is none any more."""


class Plain(Struct, frozen=True):
    """Piped in, every line is shown after what it was asked for with, and a table only where it is asked for."""

    is_piped: bool

    def draw(self, table: Sequence[str], *, asked: bool) -> None:
        if self.is_piped and not asked:
            return
        for line in ("", *table, ""):
            print_line(line)

    def tell(self, text: str, style: str | None = None) -> None:
        print_line(text, style)

    def ask(self, asking: Asking) -> str | None:
        prompt = f"{asking.prompt} [{asking.empty}]" if asking.empty else asking.prompt
        click.echo(f"{prompt} > ", nl=False)
        line = sys.stdin.readline()
        if self.is_piped or not line:
            click.echo(line.rstrip("\n"))
        return line.strip() if line else None
