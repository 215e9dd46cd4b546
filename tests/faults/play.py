"""Tables that are played on whatever happens: each command has a key of its own, and is sent again until it is answered."""

import threading
import time
import uuid
from dataclasses import dataclass, field
from typing import Any

import httpx

from tests.faults.scene import caller

AGAIN = 0.05  # seconds before a command is sent again
FINAL = (200, 201)
LATER = (409, 429, 502, 503, 504)
"""Answers after which the same command is sent again; 409 only as ``in_flight``."""


@dataclass
class Ledger:
    """What a table's caller was told: ``acknowledged`` by position, ``refused`` though each command was legal, ``slowest`` answer."""

    game: str
    acknowledged: dict[int, tuple[str, Any]] = field(default_factory=dict)
    refused: list[str] = field(default_factory=list)
    again: int = 0
    slowest: float = 0


class PlayingTable:
    """Casino, trailing always. Every command goes to another server than the one before."""

    opening: dict[str, Any] = {"ruleset": "casino", "seats": 2}  # noqa: RUF012

    def __init__(self, urls: list[str], token: str, enough: threading.Event) -> None:
        self._urls = urls
        self._token = token
        self._enough = enough
        self._turn = 0
        self._clients: dict[str, httpx.Client] = {}
        self.ledger = Ledger("")

    def play(self) -> Ledger:
        try:
            self.ledger.game = self._send("POST", "/v1/games", self.opening)["game"]
            while not self._enough.is_set():
                self._step(f"/v1/games/{self.ledger.game}")
        finally:
            for client in self._clients.values():
                client.close()
        return self.ledger

    def _step(self, game: str) -> None:
        table = self._send("GET", f"{game}/table", None)
        if table["turn"] is None:
            dealer = 0 if table["dealer"] is None else (table["dealer"] + 1) % table["seats"]
            answer = self._send("POST", f"{game}/hands", {"dealer": dealer})
        else:
            move = {"type": "trail", "card": table["hands"][table["turn"]][0]}
            answer = self._send("POST", f"{game}/moves", {"seat": table["turn"], "move": move})
        for event in answer.get("events", ()):
            self.ledger.acknowledged[event["position"]] = (event["name"], event["body"])

    def _send(self, method: str, path: str, body: object) -> dict[str, Any]:
        """The answer, however long it takes. What was refused counts, and an empty answer is given."""
        key = {"Idempotency-Key": uuid.uuid4().hex} if method == "POST" else {}
        while True:
            answer = self._asked(method, path, body, key)
            if answer is None or (answer.status_code in LATER and (answer.status_code != 409 or answer.json()["code"] == "in_flight")):
                self.ledger.again += 1
                time.sleep(AGAIN)
                continue
            if answer.status_code not in FINAL:
                self.ledger.refused.append(f"{method} {path}: {answer.status_code} {answer.text[:200]}")
                return {"turn": None, "dealer": None, "seats": 2, "events": []} if method == "GET" else {}
            told: dict[str, Any] = answer.json()
            return told

    def _asked(self, method: str, path: str, body: object, key: dict[str, str]) -> httpx.Response | None:
        """None where there was no answer at all."""
        self._turn += 1
        url = self._urls[self._turn % len(self._urls)]
        client = self._clients.setdefault(url, caller(url, self._token))
        start = time.monotonic()
        try:
            return client.request(method, path, json=body, headers=key)
        except httpx.HTTPError:
            return None
        finally:
            self.ledger.slowest = max(self.ledger.slowest, time.monotonic() - start)
