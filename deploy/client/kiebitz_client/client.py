"""The client: games, lists, streams and every other operation, with a position for ``If-Match`` and an idempotency key for each act."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Generic, TypeVar
from uuid import uuid4

import httpx
import msgspec

from kiebitz_client.errors import ProblemError
from kiebitz_client.event_streams import Event, follow
from kiebitz_client.moves import MOVES, Move
from kiebitz_client.retries import USUAL, RetryPolicy, call
from kiebitz_client.score_copies import LINES, SyncReport, copy_scores
from kiebitz_client.steps import Flow, Item, Reply, Request, Steps
from kiebitz_client.transports import TIMEOUT, Awaiting, AwaitingTransport, Blocking, BlockingTransport, Call, Stream

GAMES, RESULTS, FEED = "/v1/games", "/v1/results", "/v1/feed"

Json = dict[str, Any]
GameT = TypeVar("GameT", bound="GameCalls")


def read(path: str, query: Mapping[str, Any], policy: RetryPolicy, epoch: str = "") -> Steps[Any]:
    reply = yield from call(Request(method="GET", path=path, query=query, headers=epoch_header(epoch)), policy)
    return msgspec.json.decode(reply.body)


def epoch_header(epoch: str) -> dict[str, str]:
    """Return the header that says in which epoch positions, sequences and cursors were read."""
    return {"Kiebitz-Epoch": epoch} if epoch else {}


def act(
    method: str,
    path: str,
    body: object,
    policy: RetryPolicy,
    *,
    query: Mapping[str, Any] | None = None,
    position: int | None = None,
    epoch: str = "",
    key: str | None = None,
) -> Steps[Reply]:
    """Send a write. All its attempts have the same key, so it is recorded once."""
    headers = {"Idempotency-Key": key or uuid4().hex, "Content-Type": "application/json", **epoch_header(epoch)}
    headers |= {} if position is None else {"If-Match": f'"{position}"'}
    content = b"{}" if body is None else msgspec.json.encode(body)
    return (yield from call(Request(method=method, path=path, query=query or {}, headers=headers, content=content), policy))


def list_items(path: str, query: Mapping[str, Any], policy: RetryPolicy) -> Flow[Json]:
    """Yield the items of all pages of a list."""
    request: Request | None = Request(method="GET", path=path, query={"limit": 200, **query})
    while request is not None:
        reply = yield from call(request, policy)
        for item in msgspec.json.decode(reply.body)["items"]:
            yield Item(item)
        following = reply.links.get("next")
        request = Request(method="GET", path=following, headers=epoch_header(reply.epoch)) if following else None


# A game


def move_of(ruleset: str, move: Json) -> Move:
    """Return a move by its type; a mapping for a move that this version of the client does not know."""
    try:
        typed: Move = msgspec.convert(move, MOVES[ruleset])
    except (KeyError, msgspec.ValidationError):
        return move
    return typed


class GameCalls:
    """A game as of the last answer.

    Each act is sent for ``position``. It fails with ``ConflictError`` if somebody else recorded more, and with ``EpochChangedError`` if the
    store lost events and assigns positions again; ``refresh`` reads where the game stands then.
    """

    id: str
    ruleset: str
    position: int
    phase: str
    turn: int | None
    to_act: Sequence[int]
    hand: int
    legal_moves: Sequence[Move]
    """Of the seat in turn, after each deal and move, the first page of them; empty where you may not read them."""
    answer: Json
    """The last answer as it came."""
    epoch: str
    """Of the position."""
    policy: RetryPolicy

    @property
    def over(self) -> bool:
        return self.phase == "game_over"

    def path(self, part: str) -> str:
        return f"{GAMES}/{self.id}/{part}"

    def load(self, answer: Json, epoch: str) -> None:
        """Take over an answer about this game."""
        self.answer, self.epoch = answer, epoch
        self.ruleset = answer.get("ruleset", getattr(self, "ruleset", ""))
        self.id, self.position, self.phase = answer.get("game") or answer["id"], answer["position"], answer["phase"]
        self.turn, self.to_act, self.hand = answer["turn"], answer["to_act"], answer["hand"]
        self.legal_moves = [move_of(self.ruleset, move) for move in (answer.get("legal_moves") or {}).get("moves", ())]

    def send(self, part: str, body: object, *, method: str = "POST", key: str | None = None, **query: object) -> Steps[Json]:
        reply = yield from act(method, self.path(part), body, self.policy, query=query, position=self.position, epoch=self.epoch, key=key)
        answer: Json = msgspec.json.decode(reply.body)
        if "position" in answer and "phase" in answer and not answer.get("dry_run"):
            self.load(answer, reply.epoch)
        return answer

    @Call
    def deal(self, /, dealer: int, *, key: str | None = None, **body: object) -> Steps[Json]:
        """Deal a hand: shuffled by the service, or with ``deck``, ``fill``, ``deal``, ``board`` or ``result`` as of the API."""
        return (yield from self.send("hands", {"dealer": dealer, **body}, key=key, include="legal_moves"))

    @Call
    def play(self, /, move: Move | None = None, *, seat: int | None = None, key: str | None = None, **body: object) -> Steps[Json]:
        """Play a move, for the seat in turn unless ``seat`` is given; ``text`` is a move as a line."""
        given = {"move": move, **body} if move is not None else body
        return (yield from self.send("moves", {"seat": self.turn if seat is None else seat, **given}, key=key, include="legal_moves"))

    @Call
    def play_batch(self, /, moves: Sequence[Mapping[str, object]], *, key: str | None = None) -> Steps[Json]:
        """Play several moves, each with ``seat`` and ``move`` or ``text``: all of them or none."""
        return (yield from self.send("moves", {"moves": moves}, key=key, include="legal_moves"))

    @Call
    def rewind(self, /, to: int, *, key: str | None = None, **body: object) -> Steps[Json]:
        """Go back to a position."""
        return (yield from self.send("rewinds", {"to": to, **body}, key=key))

    @Call
    def act(self, /, part: str, body: object = None, *, method: str = "POST", key: str | None = None) -> Steps[Json]:
        """Send any other act of the game, as ``game.act("disputes", {"claim": "…"})``."""
        return (yield from self.send(part, body, method=method, key=key))

    @Call
    def read(self, /, part: str, **query: object) -> Steps[Any]:
        """Read a part of the game: ``table``, ``score-sheet``, ``legal-moves``, ``history`` …"""
        return (yield from read(self.path(part), query, self.policy, self.epoch))

    @Call
    def refresh(self, /) -> Steps[None]:
        """Read where the game stands now, with the legal moves of the seat in turn if you may read them."""
        reply = yield from call(Request(method="GET", path=f"{GAMES}/{self.id}"), self.policy)
        self.load(msgspec.json.decode(reply.body), reply.epoch)
        if self.turn is None:
            return
        try:
            legal = yield from read(self.path("legal-moves"), {"position": self.position}, self.policy, self.epoch)
        except ProblemError as problem:
            if problem.status != 403:
                raise
        else:
            self.load({**self.answer, "legal_moves": legal}, self.epoch)

    @Stream
    def follow(self, /, after: int | None = None, **query: object) -> Flow[Event]:
        """Yield each event as it is recorded, from the beginning or ``after`` a position, and reconnect after breaks.

        ``follow=False`` ends with what is recorded. An event named ``opened`` says that hidden cards may be read now.
        """
        headers = _EVENTS | epoch_header(self.epoch)
        yield from follow(Request(method="GET", path=self.path("stream"), query={"after": after, **query}, headers=headers), self.policy)


_EVENTS = {"Accept": "text/event-stream"}


class Game(GameCalls, Blocking):
    """A game of a ``Kiebitz``."""


class AsyncGame(GameCalls, Awaiting):
    """A game of an ``AsyncKiebitz``."""


# Scores


class ScoreCalls:
    policy: RetryPolicy

    @Call
    def sync(self, /, path: str | Path, **filters: object) -> Steps[SyncReport]:
        """Bring the table ``scores`` of a SQLite file up to date. Filters are those of ``/v1/scores``, as ``tournament``."""
        return (yield from copy_scores(path, filters, self.policy))

    @Stream
    def lines(self, /, **filters: object) -> Flow[Json]:
        """Yield the score lines."""
        yield from list_items(LINES, filters, self.policy)


class Scores(ScoreCalls, Blocking):
    """Score lines of a ``Kiebitz``."""


class AsyncScores(ScoreCalls, Awaiting):
    """Score lines of an ``AsyncKiebitz``."""


# The service


class ServiceCalls(Generic[GameT]):
    policy: RetryPolicy

    def make_game(self, answer: Json, epoch: str) -> GameT:
        raise NotImplementedError

    @Call
    def open_game(self, /, ruleset: str, seats: int, *, key: str | None = None, **body: object) -> Steps[GameT]:
        """Open a game. More fields are those of the API, as ``options`` and ``players``."""
        reply = yield from act("POST", GAMES, {"ruleset": ruleset, "seats": seats, **body}, self.policy, key=key)
        return self.make_game({**msgspec.json.decode(reply.body), "ruleset": ruleset}, reply.epoch)

    @Call
    def game(self, /, id: str) -> Steps[GameT]:
        """Return a game that is there."""
        reply = yield from call(Request(method="GET", path=f"{GAMES}/{id}"), self.policy)
        return self.make_game(msgspec.json.decode(reply.body), reply.epoch)

    @Call
    def read(self, /, path: str, **query: object) -> Steps[Any]:
        """Read any address, as ``read("/v1/tournaments/spring/standings")``."""
        return (yield from read(path, query, self.policy))

    @Call
    def act(
        self,
        /,
        path: str,
        body: object = None,
        *,
        method: str = "POST",
        position: int | None = None,
        key: str | None = None,
        **query: object,
    ) -> Steps[Any]:
        """Send any write, with a key and retries. ``position`` becomes ``If-Match``."""
        reply = yield from act(method, path, body, self.policy, query=query, position=position, key=key)
        return msgspec.json.decode(reply.body) if reply.body else None

    @Stream
    def items(self, /, path: str, **query: object) -> Flow[Json]:
        """Yield the items of all pages of a list, as ``items("/v1/disputes")``."""
        yield from list_items(path, query, self.policy)

    @Stream
    def games(self, /, **filters: object) -> Flow[Json]:
        """Yield the games, with the filters of the API."""
        yield from list_items(GAMES, filters, self.policy)

    @Stream
    def results(self, /, **filters: object) -> Flow[Json]:
        """Yield the results of all tables."""
        yield from list_items(RESULTS, filters, self.policy)

    @Stream
    def follow(self, /, path: str = FEED, **query: object) -> Flow[Event]:
        """Yield the events of the feed, or of another stream, and reconnect after breaks.

        To continue later, store ``id`` and ``epoch`` of the last event and pass them as ``after`` and ``epoch`` (of the feed).
        """
        yield from follow(Request(method="GET", path=path, query=query, headers=_EVENTS), self.policy)


def configure(http: httpx.Client | httpx.AsyncClient, url: str, token: str | None, language: str) -> None:
    """Set the address of the service and the headers of every request."""
    http.base_url = httpx.URL(url)
    http.headers.update({"Accept-Language": language, "Accept": "application/json"})
    if token:
        http.headers["Authorization"] = f"Bearer {token}"


class Kiebitz(ServiceCalls[Game], Blocking):
    """A service, synchronously. ``token`` may be left out for what is public; ``http`` takes a client of your own."""

    def __init__(
        self,
        url: str,
        token: str | None = None,
        *,
        language: str = "en",
        policy: RetryPolicy = USUAL,
        http: httpx.Client | None = None,
    ) -> None:
        http = http or httpx.Client(timeout=TIMEOUT)
        configure(http, url, token, language)
        super().__init__(BlockingTransport(http), policy)
        self.scores = Scores(self.transport, policy)

    def make_game(self, answer: Json, epoch: str) -> Game:
        game = Game(self.transport, self.policy)
        game.load(answer, epoch)
        return game

    def close(self) -> None:
        self.transport.http.close()

    def __enter__(self) -> "Kiebitz":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


class AsyncKiebitz(ServiceCalls[AsyncGame], Awaiting):
    """A service, with asyncio."""

    def __init__(
        self,
        url: str,
        token: str | None = None,
        *,
        language: str = "en",
        policy: RetryPolicy = USUAL,
        http: httpx.AsyncClient | None = None,
    ) -> None:
        http = http or httpx.AsyncClient(timeout=TIMEOUT)
        configure(http, url, token, language)
        super().__init__(AwaitingTransport(http), policy)
        self.scores = AsyncScores(self.transport, policy)

    def make_game(self, answer: Json, epoch: str) -> AsyncGame:
        game = AsyncGame(self.transport, self.policy)
        game.load(answer, epoch)
        return game

    async def close(self) -> None:
        await self.transport.http.aclose()

    async def __aenter__(self) -> "AsyncKiebitz":
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self.close()
