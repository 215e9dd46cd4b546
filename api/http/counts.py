"""Counters that handlers and hooks raise; ``api/service/metrics.py`` reads them."""

from collections import Counter

from litestar.types import Scope

from api.http.sending.headers import Growing


class Counts:
    def __init__(self) -> None:
        self.moves = 0
        self.refusals: Counter[str] = Counter()
        self.requests: Counter[str] = Counter()
        self.sign_ins: Counter[str] = Counter()
        self.deliveries: Counter[str] = Counter()

    def refused(self, code: str) -> None:
        self.refusals[code] += 1

    def sent(self, status: int, headers: Growing, scope: Scope) -> None:
        """One of the steps of ``api/http/sending/completing.py``."""
        self.requests[f"{status // 100}xx"] += 1
