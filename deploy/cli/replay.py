"""Command `kiebitz replay`: prints a game on the terminal, from the local store, a file or a server, as a viewer may see it."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from datetime import UTC, datetime
from functools import cache
from itertools import chain, islice
from pathlib import Path
from typing import Any
from uuid import UUID

import click
from msgspec import Struct

from api.common.reading import collect_openness_context
from api.common.signed_sheets import SignatureView, signature_views
from api.games.replay_starts import frame_maker
from api.http.response import encode
from deploy.cli.client import Remote, connect, frame_of
from deploy.cli.console import SERVER, STORE, print_line, setting_options, settings_of
from deploy.cli.files import STDIN, records_in
from deploy.cli.journal import game_ids, read_journal
from deploy.cli.replay_lines import FramePrinter, NamedFrame, Names
from deploy.config.failures import Failure, WrongValue, lang_option, refusal_in_words, say
from deploy.config.settings import Settings
from domain.errors import Unknown
from domain.events.base import text_ref_of
from domain.events.game import GameOpened
from domain.game import Game, project
from domain.games import RULESETS
from domain.journal.application import Journal
from domain.journal.feed import list_events_of_kinds
from domain.opening import OpennessContext
from domain.player import PLAYER, player_stream
from domain.rules import refusal_sentence
from domain.score import sheet
from domain.sight import Who
from replay.past import GamePast
from replay.record import Refusal, legal_history_of

_SEATED = "player.seated/"


class GameFrames(Struct, frozen=True):
    """Frames of a game. ``refused``: the sentence about a refusal after the last frame. ``signatures``: on the score sheet."""

    frames: Iterator[NamedFrame]
    refused: str | None = None
    signatures: Sequence[SignatureView] = ()


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
    with _open_game(game, record, view, language, flags) as told:
        first = next(told.frames)
        printer = FramePrinter(first.frame.table["ruleset"], language)
        frames = chain([first], told.frames)
        if position:
            _print_position([*frames], printer, position)
        else:
            _print_all(frames, told.signatures, printer)
    if told.refused:
        raise Failure(told.refused)


def _open_game(game: str, record: int, view: str | None, language: str, flags: dict[str, Any]) -> AbstractContextManager[GameFrames]:
    file = Path(game)
    if file == STDIN or file.is_file():
        return _of_file(file, record, view, language)
    settings, (id,) = settings_of(flags), game_ids([game])
    return (_of_server if settings.url else _of_store)(settings, id, view, language)


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


def _is_full_view(view: str | None) -> bool:
    return view in (None, "arbiter")


# From a store: an account that may read its files may read everything in it


@contextmanager
def _of_store(settings: Settings, id: UUID, view: str | None, language: str) -> Iterator[GameFrames]:
    """Yield a game of the local store. Raises ``Unknown``."""
    with read_journal(settings) as journal:
        past = GamePast(lambda after, limit: journal.history(id, after, limit))
        names = _names_in(journal, public=not _is_full_view(view))
        game = journal.game(id)
        around = collect_openness_context(game, journal, _now, lambda *place: _round(journal, *place))
        yield GameFrames(_frames(game, past, view, around, language, names, journal.store.text), signatures=_signatures(game))


def _round(journal: Journal, tournament: str, round: int) -> set[UUID]:
    """Return the games that name a round."""
    openings, place = list_events_of_kinds(journal.store, GameOpened), (tournament, round)
    return {one.stream for _, one in openings if isinstance(one.event, GameOpened) and (one.event.tournament, one.event.round) == place}


def _now() -> datetime:
    return datetime.now(UTC)


def _names_in(journal: Journal, *, public: bool) -> Callable[[str], str | None]:
    """Return the function that names a player as the API does: by the name, or the alias for the public; None if there is none."""

    @cache
    def name(player: str) -> str | None:
        with suppress(Unknown):
            if into := journal.aggregate(PLAYER, player_stream(player)).into:
                return name(into)
        known = journal.store.find_players([player]).get(player)
        return (known.alias if public else known.name) if known else None

    return name


def _signatures(game: Game) -> Sequence[SignatureView]:
    return signature_views(sheet(game.setup, game.table.score), game.signatures)


# From a file: with the texts in a full record, and without a register of names


@contextmanager
def _of_file(file: Path, number: int, view: str | None, language: str) -> Iterator[GameFrames]:
    """Yield a game of a file.

    Raises ``Failure`` if the file has no such record or its set-up is refused, ``InvalidFormatError`` for an invalid record.
    """
    entry = next(islice(records_in(file), number - 1, None), None)
    if entry is None:
        raise Failure(say("no_such_record", file=file, number=number), exit_code=2)
    if entry.problem:
        raise Failure(entry.problem.says)
    try:
        history, refusal = legal_history_of(entry.record, RULESETS)
    except Refusal as refused:
        raise Failure(_in_words(refused, entry.record, language)) from refused
    game = project(None, history)
    assert game is not None
    words = entry.record.get("texts", {}) if isinstance(entry.record, dict) else {}
    past = GamePast(lambda after, limit: history[after : after + limit])
    frames = _frames(game, past, view, OpennessContext(now=_now()), language, lambda player: player, words.get)
    yield GameFrames(frames, _in_words(refusal, entry.record, language) if refusal else None, _signatures(game))


def _in_words(refusal: Refusal, record: Any, language: str) -> str:
    said = refusal_sentence(RULESETS.get(record["ruleset"]), refusal, language)
    return refusal_in_words(refusal.hand, refusal.index, refusal.code, refusal.rules, said, language)


def _frames(
    game: Game,
    past: GamePast,
    view: str | None,
    around: OpennessContext,
    language: str,
    name: Callable[[str], str | None],
    text: Callable[[str], str | None],
) -> Iterator[NamedFrame]:
    who: Who = int(view[5:]) if view and view.startswith("seat:") else "public" if view == "public" else "arbiter"
    if isinstance(who, int) and who >= game.setup.seats:
        raise Unknown("seat", who)
    frame = frame_maker(RULESETS, game, who, around, language, worded=False)
    for step in past.steps(0, game.position):
        names = tuple(player and name(player) for player in step.after.opened.players)
        ref = text_ref_of(step.recorded.event) if _is_full_view(view) else None
        yield NamedFrame(frame_of(encode(frame(step))), names, text(ref.id) if ref else None)


# Through a server: as far as the token permits


@contextmanager
def _of_server(settings: Settings, id: UUID, view: str | None, language: str) -> Iterator[GameFrames]:
    """Yield a game of a server. Raises ``Failure`` with the server's message."""
    with connect(settings, language) as remote:
        yield GameFrames(_remote_frames(remote, id, view), signatures=remote.signatures(id))


def _remote_frames(remote: Remote, id: UUID, view: str | None) -> Iterator[NamedFrame]:
    words: Mapping[int, str] | None = None
    names: Names = ()
    for frame in remote.replay(id, view):
        if words is None:
            words, names = remote.words(id, narrowed=not _is_full_view(view)), _names_at_opening(remote, id, view)
        elif frame.name.startswith(_SEATED):
            names = _names_after_seating(remote, id, frame.position, names, view)
        yield NamedFrame(frame, names, words.get(frame.position))


def _names_at_opening(remote: Remote, id: UUID, view: str | None) -> Names:
    players = remote.event_body(id, 1).get("players", ())
    return tuple(player and remote.name(player, public=not _is_full_view(view)) for player in players)


def _names_after_seating(remote: Remote, id: UUID, position: int, names: Names, view: str | None) -> Names:
    seated = remote.event_body(id, position)
    player = seated.get("player")
    name = player and remote.name(player, public=not _is_full_view(view))
    return tuple(name if seat == seated.get("seat") else known for seat, known in enumerate(names))
