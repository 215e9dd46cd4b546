"""The log of a service, read over HTTP."""

from typing import Any
from urllib.parse import urlsplit

import httpx
import msgspec

from deploy.failures import Failure
from deploy.language import say
from replay.proof.exact import Unproven
from replay.proof.files import hashes
from replay.proof.tiles import WIDTH, Tile, unbundled

_TIMEOUT = 30.0
_LARGEST = 1 << 20  # bytes of an answer; a bundle has 23 kB


class _Path(msgspec.Struct, frozen=True):
    path: tuple[str, ...]


class LogReader:
    """``url``: of the service, or of a log that lies elsewhere. Entries take a token. Raises ``Failure``, and what httpx raises."""

    def __init__(self, url: str, token: str | None) -> None:
        own = not urlsplit(url).path.strip("/")
        self.url = url.rstrip("/") + ("/v1/log" if own else "")
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        self.reads_entries = token is not None
        self._http = httpx.Client(headers=headers, timeout=_TIMEOUT)

    def close(self) -> None:
        self._http.close()

    def checkpoint(self) -> str:
        try:
            return self._get("checkpoint").decode()
        except UnicodeDecodeError:
            raise Failure(say("monitor_no_log", url=self.url), exit_code=2) from None

    def path(self, old: int, new: int) -> tuple[bytes, ...]:
        """The consistency path. What is none proves nothing: it is empty."""
        try:
            said = msgspec.json.decode(self._get("consistency", {"from": old, "to": new}), type=_Path)
            return hashes(said.path, "path")
        except (msgspec.MsgspecError, Unproven):
            return ()

    def entries(self, index: int, width: int) -> list[bytes]:
        """The first ``width`` entries of a bundle. A log need not keep bundles that are not full when there is a full one."""
        for wide in dict.fromkeys((width, WIDTH)):
            answer = self._http.get(f"{self.url}/tile/entries/{Tile(0, index, wide).place}")
            if answer.status_code != 404:
                break
        try:
            return unbundled(self._read(answer))[:width]
        except ValueError:
            return []

    def _get(self, path: str, query: dict[str, Any] | None = None) -> bytes:
        return self._read(self._http.get(f"{self.url}/{path}", params=query))

    def _read(self, answer: httpx.Response) -> bytes:
        if answer.status_code in (401, 403):
            raise Failure(say("monitor_denied", url=self.url), exit_code=2)
        if not answer.is_success or len(answer.content) > _LARGEST:
            raise Failure(say("monitor_refused", url=answer.url, status=answer.status_code), exit_code=2)
        return answer.content
