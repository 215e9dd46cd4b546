"""`kiebitz replay`: a game told in the terminal, whole or step by step, as somebody may see it."""

from collections.abc import Iterable
from contextlib import AbstractContextManager
from itertools import chain
from pathlib import Path
from typing import Any

import click

from deploy.cli.console import is_terminal, print_line
from deploy.cli.files import STDIN
from deploy.cli.journal import game_ids
from deploy.cli.options import SERVER, STORE, setting_options, settings_of
from deploy.cli.replays.lines import FramePrinter
from deploy.cli.replays.told import Told, ToldFrame, of_file, of_server, of_store
from deploy.config.failures import Failure
from deploy.config.usage import WrongValue
from deploy.system.language import lang_option, say
from domain.errors import Unknown


def _viewer(ctx: click.Context, option: click.Parameter, view: str | None) -> str | None:
    if view in (None, "arbiter", "public") or (view.startswith("seat:") and view[5:].isdecimal()):
        return view
    raise WrongValue(say("bad_view"))


@click.command("replay")
@click.argument("game", metavar="GAME|FILE")
@click.option("--position", type=click.IntRange(min=1), help="The table at this position, instead of the whole game.")
@click.option("--view", callback=_viewer, metavar="VIEW", help="arbiter, public or seat:N; default: the most that may be seen.")
@click.option("--step", is_flag=True, help="Step by step: arrows, Home and End; g, h or d and a number go to a position, hand or dispute.")
@click.option("--record", type=click.IntRange(min=1), default=1, show_default=True, help="Which record of a FILE with several.")
@lang_option
@setting_options(*STORE, *SERVER)
def replay_command(game: str, position: int | None, view: str | None, step: bool, record: int, language: str, **flags: Any) -> None:
    """Tell a game move by move, or show the table at a position. GAME is the id of a game, FILE a record.

    Of a record that the rules refuse, the moves before it are told, and why it is refused; the exit code is then 1.

    \b
    Examples:
      kiebitz replay 5c0c8f1e-…
      kiebitz replay 5c0c8f1e-… --position 42 --view seat:1
      kiebitz replay game.json --step --lang de
    """
    if step and not is_terminal():
        raise Failure(say("step_needs_terminal"), say("leave_out_step"), exit_code=2)
    with _told(game, record, view, language, flags) as told:
        first = next(told.frames)
        printer = FramePrinter(first.frame.table["ruleset"], language)
        frames = chain([first], told.frames)
        if step:
            # Loaded here: what reads no keys needs no screen.
            from deploy.cli.replays.screen import step_through

            step_through([*frames], printer, position or 1, told.refused)
        elif position:
            _print_position([*frames], printer, position)
        else:
            _print_all(frames, printer)
            _print_signatures(told, printer)
    if told.refused:
        raise Failure(told.refused)


def _told(game: str, record: int, view: str | None, language: str, flags: dict[str, Any]) -> AbstractContextManager[Told]:
    file = Path(game)
    if file == STDIN or file.is_file():
        return of_file(file, record, view, language)
    settings, (id,) = settings_of(flags), game_ids([game])
    return (of_server if settings.url else of_store)(settings, id, view, language)


def _print_all(frames: Iterable[ToldFrame], printer: FramePrinter) -> None:
    for text in printer.transcript(frames):
        print_line(text, "dim" if "×" in text[:8] else None)


def _print_signatures(told: Told, printer: FramePrinter) -> None:
    for text in printer.signatures(told.signatures):
        print_line(text)


def _print_position(frames: list[ToldFrame], printer: FramePrinter, position: int) -> None:
    if position > len(frames):
        raise Unknown("position", position)
    for text in printer.position(frames[position - 1], len(frames)):
        print_line(text)
