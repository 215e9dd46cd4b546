"""The terminal, as rich sees it. Results go to standard output, everything else to standard error."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click
from rich.console import Console, RenderableType
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

OUT = Console(highlight=False)
ERR = Console(highlight=False, stderr=True)

_WIDE = 200


def print_line(text: str, style: str | None = None) -> None:
    """One line of results, as it stands: uncut, and above a progress bar if there is one."""
    if OUT.is_terminal:
        OUT.print(text, style=style, markup=False, emoji=False, soft_wrap=True)
    else:
        click.echo(text)


def show(what: RenderableType) -> None:
    """A table or the like; a file or pipe is as wide as it has to be."""
    console = OUT if OUT.is_terminal else Console(highlight=False, width=_WIDE)
    console.print(what)


@contextmanager
def progress(text: str, total: int | None, *, shown: bool = True) -> Iterator[Callable[[int], None]]:
    """A bar on a terminal, gone when it is done; answers how to say how far one has come. ``None``: nobody knows how far it is."""
    console = OUT if OUT.is_terminal else ERR
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    hidden = not (shown and total != 0 and console.is_terminal)
    with Progress(*columns, console=console, transient=True, redirect_stdout=False, redirect_stderr=False, disable=hidden) as bar:
        task = bar.add_task(text, total=total)
        yield lambda done: bar.update(task, completed=done)
