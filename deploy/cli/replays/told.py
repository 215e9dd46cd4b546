"""A game as it is told in the terminal: from a store of one's own, from a file, or through a server."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any, TypeAlias
from uuid import UUID

from msgspec import Struct

from api.common.around import look_around
from api.common.audits import named_events
from api.common.signed_sheets import SignatureView, signature_views
from api.games.frames import frame_maker
from api.games.responses import ReplayFrame
from api.http.response import encode
from deploy.cli.client import Remote, connect, frame_of
from deploy.cli.files import records_in
from deploy.cli.journal import read_journal
from deploy.config.failures import Failure
from deploy.config.settings import Settings
from deploy.system.language import say
from deploy.system.outcomes import refusal_in_words
from domain import texts
from domain.errors import Unknown
from domain.events.base import text_ref_of
from domain.events.game import GameOpened
from domain.game import Game, project
from domain.games import RULESETS
from domain.journal.application import Journal
from domain.openness import Around
from domain.player import PLAYER, player_stream
from domain.score import sheet
from domain.sight import Who
from replay.history import legal_history_of
from replay.past import GamePast
from replay.record import Refusal

Names: TypeAlias = tuple[str | None, ...]
"""Who sits on each seat; ``None`` where nobody is named."""

_SEATED = "player.seated/"


class ToldFrame(Struct, frozen=True):
    """A frame, who sat there then, and the words of people that came with it."""

    frame: ReplayFrame
    names: Names
    words: str | None


class Told(Struct, frozen=True):
    """The frames of a game; ``refused``: the sentence about what the rules refused after the last one; ``signatures``: who signed."""

    frames: Iterator[ToldFrame]
    refused: str | None = None
    signatures: Sequence[SignatureView] = ()


def sees_all(view: str | None) -> bool:
    return view in (None, "arbiter")


# From a store: whoever may read its files may read everything in it


@contextmanager
def of_store(settings: Settings, id: UUID, view: str | None, language: str) -> Iterator[Told]:
    """Raises ``Unknown``."""
    with read_journal(settings) as journal:
        past = GamePast(lambda after, limit: journal.history(id, after, limit))
        names = _Directory(journal, public=not sees_all(view)).name
        game = journal.game(id)
        around = look_around(game, journal, _now, lambda *place: _round(journal, *place))
        yield Told(_frames(game, past, view, around, language, names, journal.store.text), signatures=_signatures(game))


def _round(journal: Journal, tournament: str, round: int) -> set[UUID]:
    """The games that name a round."""
    openings, place = named_events(journal.store, GameOpened), (tournament, round)
    return {one.stream for _, one in openings if isinstance(one.event, GameOpened) and (one.event.tournament, one.event.round) == place}


def _now() -> datetime:
    return datetime.now(UTC)


class _Directory:
    """Names from the register of people, as the API shows them: the name, for the public the alias; None where there is none."""

    def __init__(self, journal: Journal, *, public: bool) -> None:
        self._journal = journal
        self._public = public
        self._known: dict[str, str | None] = {}

    def name(self, player: str) -> str | None:
        if player not in self._known:
            self._known[player] = self._find(player)
        return self._known[player]

    def _find(self, player: str) -> str | None:
        person = self._person(player)
        known = self._journal.store.find_people([person]).get(person)
        return (known.alias if self._public else known.name) if known else None

    def _person(self, player: str) -> str:
        """The id that the person is known by, after all mergers."""
        try:
            into = self._journal.aggregate(PLAYER, player_stream(player)).into
        except Unknown:
            return player
        return self._person(into) if into else player


def _signatures(game: Game) -> Sequence[SignatureView]:
    return signature_views(sheet(game.setup, game.table.score), game.signatures)


# From a file: with the words that a full record brings, and without a register of names


@contextmanager
def of_file(file: Path, number: int, view: str | None, language: str) -> Iterator[Told]:
    """Raises ``Failure`` where the file has no such record or its set-up is refused, ``Malformed`` for what is no record."""
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
    frames = _frames(game, past, view, Around(now=_now()), language, lambda player: player, words.get)
    yield Told(frames, _in_words(refusal, entry.record, language) if refusal else None, _signatures(game))


def _in_words(refusal: Refusal, record: Any, language: str) -> str:
    ruleset = RULESETS.get(record["ruleset"])
    said = ruleset.sentence(refusal, language) if ruleset else texts.sentence(refusal.code, refusal.detail, language, (texts.COMMON,))
    return refusal_in_words(refusal.hand, refusal.index, refusal.code, refusal.rules, said, language)


def _frames(
    game: Game,
    past: GamePast,
    view: str | None,
    around: Around,
    language: str,
    name: Callable[[str], str | None],
    text: Callable[[str], str | None],
) -> Iterator[ToldFrame]:
    who: Who = int(view[5:]) if view and view.startswith("seat:") else "public" if view == "public" else "arbiter"
    if isinstance(who, int) and who >= game.setup.seats:
        raise Unknown("seat", who)
    frame = frame_maker(RULESETS, game, who, around, language, worded=False)
    for step in past.steps(0, game.position):
        names = tuple(player and name(player) for player in step.after.opened.players)
        ref = text_ref_of(step.recorded.event) if sees_all(view) else None
        yield ToldFrame(frame_of(encode(frame(step))), names, text(ref.id) if ref else None)


# Through a server: as far as the token goes


@contextmanager
def of_server(settings: Settings, id: UUID, view: str | None, language: str) -> Iterator[Told]:
    """Raises ``Failure`` with the server's words."""
    with connect(settings, language) as remote:
        yield Told(_remote_frames(remote, id, view), signatures=remote.signatures(id))


def _remote_frames(remote: Remote, id: UUID, view: str | None) -> Iterator[ToldFrame]:
    words: Mapping[int, str] | None = None
    names: Names = ()
    for frame in remote.replay(id, view):
        if words is None:
            words, names = remote.words(id, narrowed=not sees_all(view)), _opened(remote, id, view)
        elif frame.name.startswith(_SEATED):
            names = _seated(remote, id, frame.position, names, view)
        yield ToldFrame(frame, names, words.get(frame.position))


def _opened(remote: Remote, id: UUID, view: str | None) -> Names:
    players = remote.event_body(id, 1).get("players", ())
    return tuple(player and remote.name(player, public=not sees_all(view)) for player in players)


def _seated(remote: Remote, id: UUID, position: int, names: Names, view: str | None) -> Names:
    seated = remote.event_body(id, position)
    player = seated.get("player")
    name = player and remote.name(player, public=not sees_all(view))
    return tuple(name if seat == seated.get("seat") else known for seat, known in enumerate(names))
