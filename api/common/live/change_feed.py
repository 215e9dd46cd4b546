"""Change feed for followers: one reader of the store wakes all who follow, and no reader runs while nobody follows."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Hashable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar, cast
from uuid import UUID

from api.common.live.live_game import LiveGame
from api.http.request import Request, part_of
from api.http.sending import note_request
from domain.errors import Unavailable
from domain.game import Game
from domain.journal.application import Journal
from domain.journal.commits import StoredEvent, StoreUnavailableError, from_stored
from domain.journal.feed import find_stream_origins

Reason: TypeAlias = Literal["gone", "told", "closed", "epoch", "away", "stopping"]
"""The reason why a stream ends: the client is gone, everything requested was sent, access ended, another epoch of the store began, the
store does not answer, or the service stops.
"""


Push: TypeAlias = Callable[[bytes], bool]
"""Passes on a piece at once if nothing is queued before it, and returns whether it did."""


class SubscriberQueue:
    """The mailbox of one follower. Used from one event loop. ``over`` is the reason for the end; the first reason stays.

    ``push`` sends a piece to the client without waiting, where the server supports that.
    """

    __slots__ = ("_at_once", "_heard", "_news", "over", "push")

    def __init__(self) -> None:
        self._news = asyncio.Event()
        self._at_once: Callable[[], bool] | None = None
        self._heard = 0.0
        self.over: Reason | None = None
        self.push: Push | None = None

    @property
    def has_news(self) -> bool:
        """True if there is news that the follower has not taken yet."""
        return self._news.is_set()

    def notify(self) -> None:
        """Send the news with ``at_once`` if the follower waits with one; otherwise wake the follower."""
        if self._at_once is None or self.over is not None or self._news.is_set() or not self._try_at_once(self._at_once):
            self._news.set()

    def end(self, reason: Reason) -> None:
        """End the stream with this reason, and wake the follower."""
        self.over = self.over or reason
        self.notify()

    async def wait(self, seconds: float, at_once: Callable[[], bool] | None = None) -> bool:
        """Wait for news. Return True when it comes, False after ``seconds``.

        ``at_once`` tries to send the news without waking the waiting task, and returns whether that was everything; then the time begins
        anew. That takes much less time for many followers than waking each task.
        """
        loop = asyncio.get_running_loop()
        self._heard, self._at_once = loop.time(), at_once
        try:
            while not await self._wait_for_news(self._heard + seconds - loop.time()):
                if self._heard + seconds <= loop.time():
                    return False
            return True
        finally:
            self._at_once = None

    async def _wait_for_news(self, seconds: float) -> bool:
        try:
            async with asyncio.timeout(seconds):
                await self._news.wait()
        except TimeoutError:
            return False
        self._news.clear()
        return True

    def _try_at_once(self, at_once: Callable[[], bool]) -> bool:
        """Call ``at_once``. An error here is raised again, and handled, in the task that is woken then."""
        self._heard = asyncio.get_running_loop().time()
        try:
            return at_once()
        except Exception:
            return False


_POLL_INTERVAL = 0.5  # seconds that the thread waits at a time; when the service stops, waiting requests end within this time


class ChangeSignal:
    """A signal that events were recorded.

    ``wait(after, timeout)`` blocks until there is an event beyond a sequence; ``head()`` returns the newest sequence, ``epoch()`` the
    current epoch. Used from one event loop.
    """

    def __init__(self, wait: Callable[[int, float], bool], head: Callable[[], int], epoch: Callable[[], str] = lambda: "") -> None:
        self._wait = wait
        self._head = head
        self._epoch = epoch
        self._of_epoch = ""
        self._latest = 0
        self._thread = ThreadPoolExecutor(1, "pulse")
        self._looking: asyncio.Future[None] | None = None
        self._stopped = False

    def stop(self) -> None:
        """End all waiting, so that open requests do not keep the service from stopping."""
        self._stopped = True

    async def wait_past(self, sequence: int, timeout: float) -> bool:
        """Return True as soon as an event beyond the sequence is recorded; False on timeout, or when another epoch begins.

        ``timeout`` is in seconds. Raises what the store raises.
        """
        loop = asyncio.get_running_loop()
        end, epoch = loop.time() + timeout, self._enter_epoch()
        while self._latest <= sequence and not self._stopped and (left := end - loop.time()) > 0:
            if self._looking is None or self._looking.done():
                self._looking = loop.run_in_executor(self._thread, self._poll)
                self._looking.add_done_callback(_retrieve_exception)
            done, _ = await asyncio.wait([self._looking], timeout=left)
            for look in done:
                look.result()
            if self._enter_epoch() != epoch:
                return False
        return self._latest > sequence

    def _enter_epoch(self) -> str:
        """Return the current epoch. Forget the latest sequence when the epoch changed: sequences of different epochs cannot be compared."""
        if self._of_epoch != self._epoch():
            self._of_epoch, self._latest = self._epoch(), 0
        return self._of_epoch

    def _poll(self) -> None:
        if self._wait(self._latest, _POLL_INTERVAL):
            self._latest = self._head()


def _retrieve_exception(look: asyncio.Future[None]) -> None:
    """Retrieve the exception of a look whose waiters are all gone, so that asyncio does not report it as never retrieved."""
    if not look.cancelled():
        look.exception()


Topic: TypeAlias = UUID | str
"""A game by its id, or a tournament by its own id: its events, and those of its games."""
EVERYTHING: Topic = ""

_AT_ONCE = 500  # events read at a time
_IN_A_ROW = 10  # followers woken before other tasks get a turn
_LOOK = 30.0  # seconds between two reads of a store in which nothing happens
_AGAIN = 1.0  # seconds until the next try where the store does not answer
_MOST = 100_000  # games whose tournament is cached

_LOG = logging.getLogger("kiebitz.live")


class ChangeFeed:
    """The change feed. Used from one event loop.

    ``wave`` rises with every event that is passed on, ``rung`` with every other notification. ``head`` is the sequence up to which
    everything is passed on; -1 while that is being looked up.
    """

    def __init__(self, journal: Journal, pulse: ChangeSignal) -> None:
        self._journal = journal
        self._pulse = pulse
        self.wave = self.rung = 0
        self._mails: dict[Topic, set[SubscriberQueue]] = {}
        self._games: dict[UUID, LiveGame] = {}
        self._tournaments: dict[UUID, str | None] = {}
        self._told: dict[UUID, int] = {}
        self._epoch = ""
        self.head = 0
        self._reader: asyncio.Task[None] | None = None
        self._stopped = False

    @property
    def subscriber_count(self) -> int:
        return len(self._all_queues())

    @property
    def waiting_count(self) -> int:
        """The number of followers who have news that they have not taken yet."""
        return sum(mail.has_news for mail in self._all_queues())

    def _all_queues(self) -> set[SubscriberQueue]:
        return {mail for mails in list(self._mails.values()) for mail in list(mails)}

    def stop(self) -> None:
        """Disconnect all followers, and those who connect from now on, because the service stops."""
        self._stopped = True
        self._pulse.stop()
        self._end_all("stopping")

    @contextmanager
    def subscribe(self, *topics: Topic) -> Iterator[SubscriberQueue]:
        """Subscribe a new mail to these topics: everything committed from now on wakes it."""
        mail = SubscriberQueue()
        for topic in topics:
            self._mails.setdefault(topic, set()).add(mail)
        if self._stopped:
            mail.end("stopping")
        self._begin()
        try:
            yield mail
        finally:
            for topic in topics:
                self._leave(topic, mail)

    def ring(self, topic: Topic) -> None:
        """Wake the followers of a topic for a change that is no event."""
        self.rung += 1
        self._notify(topic)

    def of(self, game: Game) -> LiveGame:
        """Return the game with the steps that it takes from now on; for followers that have a mail for it."""
        followed = self._games.get(game.id)
        if followed is None:
            followed = self._games[game.id] = LiveGame(game)
            # An event that was passed on before anybody followed may be missing in the cache from which the game came.
            followed.stale = self._told.get(game.id, 0) > game.position
        else:
            followed.update(game)
        return followed

    def _leave(self, topic: Topic, mail: SubscriberQueue) -> None:
        mails = self._mails[topic]
        mails.discard(mail)
        if not mails:
            del self._mails[topic]
            if isinstance(topic, UUID):
                self._games.pop(topic, None)

    def _begin(self) -> None:
        if self._reader is None and not self._stopped:
            self._epoch, self.head = self._journal.store.epoch.id, -1
            self._reader = asyncio.create_task(self._read())

    async def _read(self) -> None:
        """Read until nobody follows any more. While the store is unavailable, retry."""
        note_request(None)
        while self._mails and not self._is_closed():
            try:
                await self._read_changes()
            except (Unavailable, StoreUnavailableError) as error:
                if self._is_closed():
                    break
                _LOG.warning("subscribers receive nothing: %s", error)
                await asyncio.sleep(_AGAIN)
        self._reader = None

    def _is_closed(self) -> bool:
        return self._stopped

    async def _read_changes(self) -> None:
        if self.head < 0:  # each follower reads the store itself after that
            self.head = await asyncio.to_thread(self._journal.head)
            self._notify_all()
        news = await self._pulse.wait_past(self.head, _LOOK)
        if self._journal.store.epoch.id != self._epoch:
            self._epoch, self.head = self._journal.store.epoch.id, -1
            self._end_all("epoch")
        elif news:
            rows, tournaments = await asyncio.to_thread(self._rows)
            if len(self._told) > _MOST:
                self._told.clear()
            for sequence, event in rows:
                self.head, self._told[event.stream] = sequence, event.position
                await self._tell(event, tournaments.get(event.stream))

    def _rows(self) -> tuple[Sequence[tuple[int, StoredEvent]], dict[UUID, str | None]]:
        """Read the next events and the tournaments of their games. Call it in a thread."""
        rows = self._journal.store.events_after(self.head, _AT_ONCE)
        if any(isinstance(topic, str) for topic in list(self._mails)):
            unknown = {event.stream for _, event in rows} - self._tournaments.keys()
            if len(self._tournaments) + len(unknown) > _MOST:
                self._tournaments.clear()
                unknown = {event.stream for _, event in rows}
            found = find_stream_origins(self._journal.store, unknown)
            self._tournaments.update({stream: first.tournament or None for stream, first in found.items()})
        return rows, self._tournaments

    async def _tell(self, event: StoredEvent, tournament: str | None) -> None:
        """Wake the followers of an event, a few at a time, so that a move that comes in meanwhile has to wait for a few only."""
        self.wave += 1
        game = self._games.get(event.stream)
        if game is not None:
            game.take(from_stored(event))
        topics = (event.stream, EVERYTHING) if tournament is None else (event.stream, EVERYTHING, tournament)
        mails = [mail for topic in topics for mail in self._mails.get(topic, ())]
        for number, mail in enumerate(mails, 1):
            mail.notify()
            if number % _IN_A_ROW == 0:
                await asyncio.sleep(0)

    def _notify(self, topic: Topic) -> None:
        for mail in self._mails.get(topic, ()):
            mail.notify()

    def _notify_all(self) -> None:
        for game in self._games.values():
            game.stale = True
        self._each(SubscriberQueue.notify)

    def _end_all(self, reason: Reason) -> None:
        self._each(lambda mail: mail.end(reason))

    def _each(self, do: Callable[[SubscriberQueue], None]) -> None:
        for mail in {mail for mails in self._mails.values() for mail in mails}:
            do(mail)


def change_feed_of(request: Request) -> ChangeFeed:
    return part_of(request.app, ChangeFeed)


# Many followers make the same reads at the same time; each is made once.


_MOST_READS = 64

T = TypeVar("T")


class ResponseCoalescer:
    """Coalesces equal reads: the last reads by their keys. Key and version have to name everything that the result depends on; of a key
    the newest version is kept. Used from one event loop.
    """

    def __init__(self, most: int = _MOST_READS) -> None:
        self._most = most
        self._reads: dict[Hashable, tuple[Hashable, asyncio.Future[Any]]] = {}

    async def once(self, key: Hashable, read: Callable[[], Awaitable[T]], version: Hashable = None) -> T:
        """Return the result of the read under this key; start the read if there is none of this version. Raises what ``read`` raises;
        failed reads are not kept.
        """
        kept, found = self._reads.get(key, (None, None))
        if found is None or kept != version:
            if key not in self._reads and len(self._reads) >= self._most:
                del self._reads[next(iter(self._reads))]
            found = asyncio.ensure_future(read())
            self._reads[key] = version, found
            found.add_done_callback(lambda done: self._drop_failed(key, done))
        return cast(T, found.result() if found.done() else await asyncio.shield(found))

    def forget(self, key: Hashable) -> None:
        self._reads.pop(key, None)

    def _drop_failed(self, key: Hashable, done: "asyncio.Future[Any]") -> None:
        if (done.cancelled() or done.exception() is not None) and self._reads.get(key, (None, None))[1] is done:
            del self._reads[key]


class SharedReads(NamedTuple):
    """Coalesced reads by their subject, so that none evicts the others."""

    streams: ResponseCoalescer
    audits: ResponseCoalescer
    replays: ResponseCoalescer
    tables: ResponseCoalescer
    standings: ResponseCoalescer
