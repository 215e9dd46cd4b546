"""Client of the Kiebitz HTTP API, synchronous and asynchronous: ``Kiebitz(url, token)`` and ``AsyncKiebitz(url, token)``."""

from kiebitz_client.client import AsyncGame, AsyncKiebitz, Game, Kiebitz
from kiebitz_client.errors import ConflictError, EpochChangedError, KiebitzError, ProblemError, Refused, SignatureError, UnavailableError
from kiebitz_client.event_streams import Event
from kiebitz_client.retries import RetryPolicy
from kiebitz_client.score_copies import SyncReport
from kiebitz_client.webhooks import verify_webhook

__all__ = [
    "AsyncGame",
    "AsyncKiebitz",
    "ConflictError",
    "EpochChangedError",
    "Event",
    "Game",
    "Kiebitz",
    "KiebitzError",
    "ProblemError",
    "Refused",
    "RetryPolicy",
    "SignatureError",
    "SyncReport",
    "UnavailableError",
    "verify_webhook",
]
