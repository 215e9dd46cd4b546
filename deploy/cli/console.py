"""Terminal output with rich. Results go to standard output, everything else to standard error.

Rich is loaded only if needed: on a terminal, or if colours are forced.
"""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

_WIDE = 200
_INSISTING = ("FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE")
"""Environment variables with which rich may treat a stream as a terminal although it is none."""


@cache
def console(*, stderr: bool = False) -> "Console":
    from rich.console import Console

    return Console(highlight=False, stderr=stderr)


def is_terminal(*, stderr: bool = False) -> bool:
    """Return whether standard output, or standard error, is shown on a terminal."""
    stream = sys.stderr if stderr else sys.stdout
    return (stream.isatty() or any(name in os.environ for name in _INSISTING)) and console(stderr=stderr).is_terminal


def print_line(text: str, style: str | None = None) -> None:
    """Print one line of results, uncut, above a progress bar if there is one."""
    if is_terminal():
        console().print(text, style=style, markup=False, emoji=False, soft_wrap=True)
    else:
        click.echo(text)


def show(what: "RenderableType") -> None:
    """Print a table or the like; a file or pipe is as wide as necessary."""
    from rich.console import Console

    (console() if is_terminal() else Console(highlight=False, width=_WIDE)).print(what)


@contextmanager
def progress(text: str, total: int | None, *, shown: bool = True) -> Iterator[Callable[[int], None]]:
    """Show a progress bar on a terminal until it is done; yield the function that sets the progress. ``total`` ``None``: unknown."""
    to_stderr = not is_terminal()
    if not shown or total == 0 or (to_stderr and not is_terminal(stderr=True)):
        yield lambda done: None
        return
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console(stderr=to_stderr), transient=True, redirect_stdout=False, redirect_stderr=False) as bar:
        task = bar.add_task(text, total=total)
        yield lambda done: bar.update(task, completed=done)
