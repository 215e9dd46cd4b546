"""`kiebitz replay`: the whole game as a transcript, or one position with everything that lies on the table."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain, islice
from pathlib import Path
from typing import Any

import click

from api.games.frames import frame_maker
from api.games.responses import ReplayFrame
from api.http.response import encode
from deploy.cli.client import connect, frame_of
from deploy.cli.console import OUT, print_line
from deploy.cli.files import STDIN, records_in
from deploy.cli.journal import game_ids, read_journal
from deploy.cli.options import SERVER, STORE, setting_options, settings_of
from deploy.failures import Failure
from deploy.language import lang_option, sentence
from domain.cards import HIDDEN
from domain.errors import Unknown
from domain.game import Game, project
from domain.games import RULESETS
from domain.sight import Who
from replay.history import NEVER, history_of
from replay.past import GamePast
from replay.transcript import Transcript


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
    source = _of_file(file, record, view, language) if file == STDIN or file.is_file() else _of_game(game, view, language, flags)
    with source as frames:
        first = next(frames)
        printer = FramePrinter(first.table["ruleset"], language)
        if step:
            _step([first, *frames], printer, position or 1)
        elif position:
            _print_position([first, *frames], printer, position)
        else:
            for text in printer.transcript(chain([first], frames)):
                print_line(text, "dim" if "×" in text[:8] else None)


def _print_position(frames: Sequence[ReplayFrame], printer: "FramePrinter", position: int) -> None:
    if position > len(frames):
        raise Unknown("position", position)
    for text in printer.position(frames[position - 1], len(frames)):
        print_line(text)


def _step(frames: Sequence[ReplayFrame], printer: "FramePrinter", start: int) -> None:
    def show(frame: ReplayFrame) -> None:
        click.clear()
        _print_position(frames, printer, frame.position)
        print_line(f"\n{sentence('replay_keys', printer.language)}", "dim")

    walk(frames, start, click.getchar, show)


def walk(frames: Sequence[ReplayFrame], start: int, key: Callable[[], str], show: Callable[[ReplayFrame], None]) -> None:
    """Step by step from a position: n or Enter goes on, p goes back, q ends. What cannot be gone further stays where it is."""
    place = next((place for place, frame in enumerate(frames) if frame.position >= start), len(frames) - 1)
    while True:
        show(frames[place])
        pressed = key().lower()
        while pressed not in ("n", "p", "q", "\r", "\n", " ", "\x1b", "\x03"):
            pressed = key().lower()
        if pressed in ("q", "\x1b", "\x03"):
            return
        place = max(place - 1, 0) if pressed == "p" else min(place + 1, len(frames) - 1)


# The frames


@contextmanager
def _of_game(game: str, view: str | None, language: str, flags: dict[str, Any]) -> Iterator[Iterator[ReplayFrame]]:
    settings, (id,) = settings_of(flags), game_ids([game])
    if settings.url:
        with connect(settings, language) as remote:
            yield remote.replay(id, view)
        return
    with read_journal(settings) as journal:
        yield _frames(journal.game(id), GamePast(lambda after, limit: journal.history(id, after, limit)), view, language)


@contextmanager
def _of_file(file: Path, number: int, view: str | None, language: str) -> Iterator[Iterator[ReplayFrame]]:
    entry = next(islice(records_in(file), number - 1, None), None)
    if entry is None:
        raise Failure(f"{file} has no record {number}.", exit_code=2)
    if entry.problem:
        raise entry.problem
    history = history_of(entry.record, RULESETS)
    played = project(None, history)
    assert played is not None
    yield _frames(played, GamePast(lambda after, limit: history[after : after + limit]), view, language)


def _frames(game: Game, past: GamePast, view: str | None, language: str) -> Iterator[ReplayFrame]:
    who: Who = int(view[5:]) if view and view.startswith("seat:") else "public" if view == "public" else "arbiter"
    if isinstance(who, int) and who >= game.setup.seats:
        raise Unknown("seat", who)
    frame = frame_maker(RULESETS, game, who, language)
    return (frame_of(encode(frame(step))) for step in past.steps(0, game.position))


# Their text

_EVERYWHERE = {"ruleset", "options", "seats", "parties", "phase", "hand", "dealer", "turn", "to_act", "totals", "winners", "hands"}
_DEALT = "hand.dealt/"


class FramePrinter:
    """Frames of one game in lines of text. The names of the fields of a table are those of the state view, in any language."""

    def __init__(self, ruleset: str, language: str) -> None:
        known = RULESETS.get(ruleset)
        self._transcript = Transcript(known.about() if known else None, language)
        self.language = language

    def transcript(self, frames: Iterable[ReplayFrame]) -> Iterator[str]:
        """A line an event; the hands as they were dealt, the points at the end."""
        frame = None
        for frame in frames:
            yield f"{frame.position:>6} {'×' if frame.void is True else ' '} {frame.caption}"
            if frame.name.startswith(_DEALT):
                yield from (f"{'':9}{line}" for line in self._hands(frame.table))
        if frame is not None:
            yield f"{'':9}{self._totals(frame)}"

    def position(self, frame: ReplayFrame, last: int) -> Iterator[str]:
        """What happened, and how the table lies then."""
        table = frame.table
        when = "" if frame.at == NEVER else f", {frame.at:%Y-%m-%d %H:%M:%S} UTC"
        void = f" · {self._sentence('replay_void')}" if frame.void is True else ""
        yield self._sentence("replay_position", position=frame.position, last=last, hand=frame.hand) + when + void
        yield frame.caption
        yield ""
        yield from (f"  {line}" for line in self._hands(table))
        yield from (f"  {name.replace('_', ' ')}: {text}" for name, value in table.items() if (text := self._field(name, value)))
        yield f"  {self._totals(frame)}"
        if table["to_act"]:
            yield f"  {self._sentence('replay_to_act', who=', '.join(map(str, table['to_act'])))}"

    def _totals(self, frame: ReplayFrame) -> str:
        return self._sentence("replay_totals", totals=" : ".join(map(str, frame.table["totals"])))

    def _hands(self, table: Mapping[str, Any]) -> Iterator[str]:
        for seat, hand in enumerate(table.get("hands", ())):
            yield f"{self._transcript.party([seat])}: {self._cards(hand)}"

    def _field(self, name: str, value: Any) -> str:
        """A field of the state view; nothing where it tells nothing, or what is shown already."""
        if name in _EVERYWHERE or name.endswith(("_count", "_counts")) or name == "legal_moves":
            return ""
        return self._value(value)

    def _value(self, value: Any) -> str:
        match value:
            case None | False | "" | [] | {}:
                return ""
            case True:
                return self._sentence("yes")
            case list() if all(isinstance(item, str) for item in value):
                return self._cards(value)
            case list() if any(isinstance(item, list | dict) for item in value):
                texts = [self._value(item) or "–" for item in value]
                return " | ".join(texts) if any(text != "–" for text in texts) else ""
            case list():
                return " ".join("–" if item is None else self._value(item) or str(item) for item in value)
            case dict():
                return ", ".join(f"{key} {text}" for key, item in value.items() if (text := self._value(item)))
            case str():
                return self._transcript.card(value)
        return str(value)

    def _cards(self, cards: Sequence[str]) -> str:
        """Cards that are seen, and how many are not."""
        hidden = sum(card == HIDDEN for card in cards)
        texts = [self._transcript.card(card) for card in cards if card != HIDDEN]
        if hidden:
            texts.append(self._sentence("replay_hidden", count=hidden))
        return (", " if any(" " in text for text in texts[: len(cards) - hidden]) else " ").join(texts) or "–"

    def _sentence(self, code: str, **detail: object) -> str:
        return sentence(code, self.language, **detail)
