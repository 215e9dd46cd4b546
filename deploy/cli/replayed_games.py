"""Games to be told by `kiebitz replay`: from the local store, a file or a server, as a viewer may see them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any
from uuid import UUID

from msgspec import Struct

from api.common.signed_sheets import SignatureView, current_signatures
from api.games.replay_starts import frame_maker
from api.http.response import encode
from deploy.cli.client import Remote, connect, frame_of
from deploy.cli.console import settings_of
from deploy.cli.files import STDIN, records_in
from deploy.cli.importing.record_check import describe_illegal_record
from deploy.cli.journal import game_ids, name_players, read_journal
from deploy.cli.replay_lines import NamedFrame, Names
from deploy.config.failures import Failure, say
from deploy.config.settings import Settings
from deploy.system.clock import now
from domain.events.base import text_ref_of
from domain.game import Game, project
from domain.games import RULESETS
from domain.journal.openness import collect_openness_context, search_games_of_round
from domain.opening import OpennessContext
from domain.sight import parse_view
from replay.past import GamePast
from replay.record import Refusal, legal_history_of

_SEATED = "player.seated/"


class GameFrames(Struct, frozen=True):
    """Frames of a game. ``refused``: the sentence about a refusal after the last frame. ``signatures``: on the score sheet."""

    frames: Iterator[NamedFrame]
    refused: str | None = None
    signatures: Sequence[SignatureView] = ()


def open_game(game: str, record: int, view: str | None, language: str, flags: dict[str, Any]) -> AbstractContextManager[GameFrames]:
    """Open a game by its id or its file; see the three ways below."""
    file = Path(game)
    if file == STDIN or file.is_file():
        return _of_file(file, record, view, language)
    settings, (id,) = settings_of(flags), game_ids([game])
    return (_of_server if settings.url else _of_store)(settings, id, view, language)


def _is_full_view(view: str | None) -> bool:
    return view in (None, "arbiter")


# From a store: an account that may read its files may read everything in it


@contextmanager
def _of_store(settings: Settings, id: UUID, view: str | None, language: str) -> Iterator[GameFrames]:
    """Yield a game of the local store. Raises ``Unknown``."""
    with read_journal(settings) as journal:
        past = GamePast(lambda after, limit: journal.history(id, after, limit))
        names = name_players(journal, public=not _is_full_view(view))
        game = journal.game(id)
        around = collect_openness_context(game, journal, now, partial(search_games_of_round, journal.store))
        yield GameFrames(_frames(game, past, view, around, language, names, journal.store.text), signatures=current_signatures(game))


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
    record: Any = entry.record
    try:
        history, refusal = legal_history_of(record, RULESETS)
    except Refusal as refused:
        raise Failure(describe_illegal_record(refused, record["ruleset"], language)) from refused
    game = project(None, history)
    assert game is not None
    words = record.get("texts", {}) if isinstance(record, dict) else {}
    past = GamePast(lambda after, limit: history[after : after + limit])
    frames = _frames(game, past, view, OpennessContext(now=now()), language, lambda player: player, words.get)
    problem = describe_illegal_record(refusal, record["ruleset"], language) if refusal else None
    yield GameFrames(frames, problem, current_signatures(game))


def _frames(
    game: Game,
    past: GamePast,
    view: str | None,
    around: OpennessContext,
    language: str,
    name: Callable[[str], str | None],
    text: Callable[[str], str | None],
) -> Iterator[NamedFrame]:
    frame = frame_maker(RULESETS, game, parse_view(view or "arbiter", game.setup.seats), around, language, worded=False)
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
