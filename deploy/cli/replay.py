"""Command `kiebitz replay`: prints a game on the terminal, from the local store, a file or a server, as a viewer may see it."""

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any

import click

from api.common.signed_sheets import SignatureView
from deploy.cli.console import SERVER, STORE, print_line, setting_options
from deploy.cli.replay_lines import FramePrinter, NamedFrame
from deploy.cli.replayed_games import open_game
from deploy.config.failures import Failure, WrongValue, lang_option, say
from domain.errors import Unknown


def _viewer(ctx: click.Context, option: click.Parameter, view: str | None) -> str | None:
    if view in (None, "arbiter", "public") or (view.startswith("seat:") and view[5:].isdecimal()):
        return view
    raise WrongValue(say("bad_view"))


def _reject_step(ctx: click.Context, option: click.Parameter, given: bool) -> None:
    if given:
        raise Failure(say("step_on_the_page"), exit_code=2)


@click.command("replay")
@click.argument("game", metavar="GAME|FILE")
@click.option("--position", type=click.IntRange(min=1), help="Show the table at this position, instead of the whole game.")
@click.option("--view", callback=_viewer, metavar="VIEW", help="arbiter, public or seat:N; default: the most that may be seen.")
@click.option("--step", is_flag=True, hidden=True, expose_value=False, is_eager=True, callback=_reject_step)
@click.option(
    "--record", type=click.IntRange(min=1), default=1, show_default=True, help="The number of the record, for a FILE with several."
)
@lang_option
@setting_options(*STORE, *SERVER)
def replay_command(game: str, position: int | None, view: str | None, record: int, language: str, **flags: Any) -> None:
    """Tell a game move by move, or show the table at a position. GAME is the id of a game, FILE a record.

    Of a record that the rules refuse, the moves before it are told, and why it is refused; the exit code is then 1.

    \b Examples:
      kiebitz replay 5c0c8f1e-…
      kiebitz replay 5c0c8f1e-… --position 42 --view seat:1
      kiebitz replay game.json --lang de
    """
    with open_game(game, record, view, language, flags) as told:
        first = next(told.frames)
        printer = FramePrinter(first.frame.table["ruleset"], language)
        frames = chain([first], told.frames)
        if position:
            _print_position([*frames], printer, position)
        else:
            _print_all(frames, told.signatures, printer)
    if told.refused:
        raise Failure(told.refused)


def _print_all(frames: Iterable[NamedFrame], signatures: Sequence[SignatureView], printer: FramePrinter) -> None:
    for text in printer.list_lines(frames):
        print_line(text, "dim" if "×" in text[:8] else None)
    for text in printer.signatures(signatures):
        print_line(text)


def _print_position(frames: list[NamedFrame], printer: FramePrinter, position: int) -> None:
    if position > len(frames):
        raise Unknown("position", position)
    for text in printer.position(frames[position - 1], len(frames)):
        print_line(text)
