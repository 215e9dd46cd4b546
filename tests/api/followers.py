"""Who follows a stream of a real server: takes messages as they come, in a thread of his own."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import httpx
from httpx_sse import ServerSentEvent, connect_sse

from tests.deploy.serving import PATIENCE


class Follower:
    """``messages`` are those that came so far, ``ended`` whether the server let him go."""

    def __init__(self, url: str, token: str | None, **headers: str) -> None:
        self.messages: list[ServerSentEvent] = []
        self.status: int | None = None
        self.headers = httpx.Headers()
        self.ended = False
        self._url = url
        self._sent = headers | ({"Authorization": f"Bearer {token}"} if token else {})
        self._changed = threading.Condition()
        # The authorities of the system are read for HTTPS alone: that takes longer than most tests.
        self._client = httpx.Client(timeout=httpx.Timeout(PATIENCE), verify=url.startswith("https"))
        self._thread = threading.Thread(target=self._follow, daemon=True)

    def until(self, here: Callable[["Follower"], object]) -> "Follower":
        """As soon as this holds."""
        with self._changed:
            self._changed.wait_for(lambda: here(self) or self.ended, PATIENCE)
            assert here(self), (self.status, [message.data for message in self.messages[-3:]])
        return self

    def until_id(self, id: int) -> "Follower":
        return self.until(lambda follower: any(int(one.id or 0) >= id for one in follower.messages))

    @property
    def frames(self) -> list[dict[str, Any]]:
        return [json.loads(one.data) for one in self.messages if one.event == "message"]

    @property
    def ids(self) -> list[int]:
        return [int(one.id) for one in self.messages if one.event == "message"]

    @property
    def last_words(self) -> str:
        assert self.messages[-1].event == "over"
        return str(json.loads(self.messages[-1].data)["reason"])

    def begin(self) -> "Follower":
        self._thread.start()
        return self.until(lambda follower: follower.status)

    def close(self) -> None:
        self._client.close()

    def _follow(self) -> None:
        try:
            with connect_sse(self._client, "GET", self._url, headers=self._sent) as source:
                self._note(status=source.response.status_code, headers=source.response.headers)
                if self.status == 200:
                    for message in source.iter_sse():
                        if message.data:  # a comment is none, whatever the library makes of it
                            self._note(message=message)
        except (httpx.HTTPError, RuntimeError):
            pass  # the connection was cut, here or there
        self._note(ended=True)

    def _note(self, message: ServerSentEvent | None = None, **changed: Any) -> None:
        with self._changed:
            if message is not None:
                self.messages.append(message)
            for name, value in changed.items():
                setattr(self, name, value)
            self._changed.notify_all()


@contextmanager
def following(url: str, token: str | None, **headers: str) -> Iterator[Follower]:
    follower = Follower(url, token, **headers).begin()
    try:
        yield follower
    finally:
        follower.close()
