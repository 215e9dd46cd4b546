"""Asks the witnesses for their signatures after each checkpoint, by a thread of its own: nobody waits for it."""

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from threading import Thread

from deploy.log.keeper.http_client import Away, Post
from deploy.log.keeper.witness_requests import DISAGREES, agreed, ask
from deploy.log.keeper.witness_standings import standings_of
from domain.errors import Unavailable
from domain.journal.log.register import LogEpoch
from replay.proof.answers import Ahead, Refused
from replay.proof.checkpoints import signed_by_name
from replay.proof.cosignatures import Cosignatures, Standing, Trouble
from replay.proof.log import LogTree
from replay.proof.named_witnesses import NamedWitness

_LOG = logging.getLogger("kiebitz.log")
PAUSES = (1.0, 5.0, 30.0)
"""Seconds until a witness in trouble is asked again: after the first time, the second, and every other one."""
_TOO_MANY = 429


class Asking:
    """``clock``: the moment, in seconds of POSIX."""

    def __init__(
        self,
        tree: LogTree,
        cosignatures: Cosignatures,
        witnesses: Sequence[NamedWitness],
        new_post: Callable[[], Post] = Post,
        pauses: Sequence[float] = PAUSES,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._tree = tree
        self._cosignatures = cosignatures
        self._new_post = new_post
        self._pauses = pauses
        self._clock = clock
        self._epoch: LogEpoch | None = None
        self._standings = dict(zip(witnesses, standings_of(cosignatures, witnesses), strict=True))
        self._runner = asyncio.Runner(loop_factory=asyncio.new_event_loop)  # does not become the loop of this thread
        self._loop = self._runner.get_loop()
        self._ended = asyncio.Event()
        self._news = {one: asyncio.Event() for one in witnesses}
        self._thread = Thread(target=lambda: self._runner.run(self._follow_all()), name="witnesses", daemon=True)
        self._thread.start()

    def tell(self, epoch: LogEpoch) -> None:
        """A checkpoint was published. Returns at once."""
        self._epoch = epoch
        self._loop.call_soon_threadsafe(self._wake)

    def stopping(self, epoch: LogEpoch) -> Standing | None:
        """A witness that has signed another history of this log than the one that lies here."""
        return next((one for one in self._standings.values() if one.stops and one.epoch == epoch.number), None)

    def close(self) -> None:
        """What is being asked is broken off."""
        self._loop.call_soon_threadsafe(self._ended.set)
        self._thread.join()
        self._runner.close()

    def _wake(self) -> None:
        for news in self._news.values():
            news.set()

    async def _follow_all(self) -> None:
        post = self._new_post()
        following = [asyncio.create_task(self._follow(one, post)) for one in self._news]
        await self._ended.wait()
        for one in following:
            one.cancel()
        await asyncio.gather(*following, return_exceptions=True)
        await post.close()

    async def _follow(self, witness: NamedWitness, post: Post) -> None:
        failed = 0
        while True:
            if failed:
                await asyncio.sleep(self._pauses[min(failed, len(self._pauses)) - 1])
            else:
                await self._news[witness].wait()
            self._news[witness].clear()
            try:
                failed = failed + 1 if await self._turn(witness, post) else 0
            except Unavailable as error:
                _LOG.warning("what the witness %s signs cannot be kept: %s", witness.url, error)
                failed += 1
            except Exception:  # a fault of our own: the others are asked all the same
                _LOG.exception("the witness %s was not asked", witness.url)
                failed += 1

    async def _turn(self, witness: NamedWitness, post: Post) -> bool:
        """Whether it is to be asked again though nothing new is signed. Raises ``Unavailable``."""
        epoch, head = self._epoch, self._tree.head()
        if epoch is None or head is None or head.note is None or head.epoch != epoch.number:
            return False
        standing = self._standings[witness]
        if standing.epoch != epoch.number:
            standing = Standing(witness.key, epoch.number)
        try:
            if standing.stops:
                return await self._settle(witness, post, standing, epoch, head.size)
            if standing.signed(head.signed):
                return False
            note = signed_by_name(head.note)
            line = await ask(post, witness, self._tree, note, standing.size)
        except (Ahead, Refused, Away) as problem:
            self._trouble(witness, standing, problem)
            return True
        cosigned = Standing(witness.key, epoch.number, head.signed, int(self._clock()))
        self._cosignatures.cosigned(cosigned, note, line)
        self._keep(witness, cosigned)
        return False

    async def _settle(self, witness: NamedWitness, post: Post, standing: Standing, epoch: LogEpoch, size: int) -> bool:
        """Whether what it signed is still another history. Raises ``Away``."""
        signed = await agreed(post, witness, self._tree, epoch.origin, size)
        if signed is not None:
            self._keep(witness, standing._replace(size=signed, trouble=None, since=None, named=0))
        return signed is None

    def _trouble(self, witness: NamedWitness, standing: Standing, problem: Ahead | Refused | Away) -> None:
        trouble, named = _meaning(problem)
        head = self._tree.head()
        if trouble == "ahead" and head is not None and head.signed >= named:
            return  # another keeper of this log has asked before
        if standing.stops and trouble == "away":
            return  # that it is away now does not unsay what it said
        since = standing.since or int(self._clock())
        self._keep(witness, standing._replace(trouble=trouble, since=since, named=named))

    def _keep(self, witness: NamedWitness, standing: Standing) -> None:
        before, self._standings[witness] = self._standings[witness], standing
        if before.trouble != standing.trouble:
            level = logging.ERROR if standing.stops else logging.WARNING if standing.trouble else logging.INFO
            _LOG.log(level, "witness %s: %s", standing.name, standing.trouble or "it signs")
            self._cosignatures.troubled(standing)


def _meaning(problem: Ahead | Refused | Away) -> tuple[Trouble, int]:
    match problem:
        case Ahead():
            return "ahead", problem.size
        case Away():
            return "away", 0
    if problem.status == DISAGREES:
        return "disagrees", 0
    return ("away" if problem.status == _TOO_MANY or problem.status >= 500 else "refused"), 0
