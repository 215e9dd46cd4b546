"""`kiebitz replay`."""

from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

import click

from api.games.frames import frame_maker
from api.games.responses import ReplayFrame
from api.http.response import encode as sent
from deploy.cli.client import Remote, received
from deploy.cli.console import OUT, line
from deploy.cli.files import STDIN, records_in
from deploy.cli.options import SERVER, STORE, setting_options, settings_of
from deploy.cli.records import chosen
from deploy.cli.replayed import Printed, walk
from deploy.compose import now, opened_recorder
from deploy.failures import Failure
from deploy.language import lang_option, said
from domain.errors import Unknown
from domain.game import Game, project
from domain.games import RULESETS
from domain.journal.application import Journal
from domain.sight import Who
from replay.history import history_of
from replay.lines import Line


def _viewer(ctx: click.Context, option: click.Parameter, view: str | None) -> str | None:
    if view in (None, "arbiter", "public") or (view.startswith("seat:") and view[5:].isdecimal()):
        return view
    raise click.BadParameter("this is arbiter, public or seat:N.")


@click.command("replay")
@click.argument("game", metavar="GAME|FILE")
@click.option("--position", type=click.IntRange(min=1), help="The table at this position, instead of the whole game.")
@click.option("--view", callback=_viewer, metavar="VIEW", help="arbiter, public or seat:N; default: the most that may be seen.")
@click.option("--step", is_flag=True, help="Step by step: n or Enter goes on, p goes back, q ends.")
@click.option("--record", type=click.IntRange(min=1), default=1, show_default=True, help="Which record of a FILE with several.")
@lang_option
@setting_options(*STORE, *SERVER)
def replay_command(game: str, position: int | None, view: str | None, step: bool, record: int, language: str, **flags: Any) -> None:
    """Tell a game move by move, or show the table at a position. GAME is the id of a game, FILE a record.

    \b
    Examples:
      kiebitz replay 5c0c8f1e-…
      kiebitz replay 5c0c8f1e-… --position 42 --view seat:1
      kiebitz replay game.json --step --lang de
    """
    if step and not OUT.is_terminal:
        raise Failure("--step needs a terminal.", "Leave it out, and the whole game is told.", exit_code=2)
    file = Path(game)
    with _of_file(file, record, view, language) if file == STDIN or file.is_file() else _of_game(game, view, language, flags) as frames:
        if step:
            _step(list(frames), position or 1, language)
        elif position:
            _position(list(frames), position, language)
        else:
            _whole(frames, language)


def _whole(frames: Iterator[ReplayFrame], language: str) -> None:
    first = next(frames)
    for text in Printed(first.table["ruleset"], language).transcript(_again(first, frames)):
        line(text, "dim" if "×" in text[:8] else None)


def _again(first: ReplayFrame, rest: Iterable[ReplayFrame]) -> Iterator[ReplayFrame]:
    yield first
    yield from rest


def _position(frames: list[ReplayFrame], position: int, language: str) -> None:
    if position > len(frames):
        raise Unknown("position", position)
    frame = frames[position - 1]
    for text in Printed(frame.table["ruleset"], language).position(frame, len(frames)):
        line(text)


def _step(frames: list[ReplayFrame], start: int, language: str) -> None:
    printed = Printed(frames[0].table["ruleset"], language)

    def show(frame: ReplayFrame) -> None:
        click.clear()
        for text in printed.position(frame, len(frames)):
            line(text)
        line(f"\n{said('replay_keys', language)}", "dim")

    walk(frames, start, click.getchar, show)


@contextmanager
def _of_game(game: str, view: str | None, language: str, flags: dict[str, Any]) -> Iterator[Iterator[ReplayFrame]]:
    settings, (id,) = settings_of(flags), chosen([game])
    if settings.url:
        with Remote(settings.url, settings.token, language) as remote:
            yield remote.replay(id, view)
        return
    with opened_recorder(settings, create=False) as recorder, closing(Journal(recorder, now, alone=False)) as journal:
        yield _frames(journal.game(id), Line(lambda after, limit: journal.history(id, after, limit)), view, language)


@contextmanager
def _of_file(file: Path, number: int, view: str | None, language: str) -> Iterator[Iterator[ReplayFrame]]:
    found = next(islice(records_in(file), number - 1, None), None)
    if found is None:
        raise Failure(f"{file} has no record {number}.", exit_code=2)
    if found.problem:
        raise found.problem
    history = history_of(found.record, RULESETS)
    played = project(None, history)
    assert played is not None
    yield _frames(played, Line(lambda after, limit: history[after : after + limit]), view, language)


def _frames(game: Game, past: Line, view: str | None, language: str) -> Iterator[ReplayFrame]:
    who: Who = int(view[5:]) if view and view.startswith("seat:") else "public" if view == "public" else "arbiter"
    if isinstance(who, int) and who >= game.setup.seats:
        raise Unknown("seat", who)
    show = frame_maker(RULESETS, game, who, language)
    return (received(sent(show(step))) for step in past.steps(0, game.position))
