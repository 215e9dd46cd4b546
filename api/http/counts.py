"""Counters that handlers and hooks raise; ``api/service/metrics.py`` reads them."""

from collections import Counter

from litestar.types import Message, Scope


class Counts:
    def __init__(self) -> None:
        self.moves = 0
        self.refusals: Counter[str] = Counter()
        self.requests: Counter[str] = Counter()
        self.sign_ins: Counter[str] = Counter()
        self.deliveries: Counter[str] = Counter()

    def refused(self, code: str) -> None:
        self.refusals[code] += 1

    async def sent(self, message: Message, scope: Scope) -> None:
        """Litestar's hook before every message that is sent."""
        if message["type"] == "http.response.start":
            self.requests[f"{message['status'] // 100}xx"] += 1
