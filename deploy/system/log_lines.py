"""Logging format of every process of a service: text for people, or one JSON object per line for programs.

docs/decisions/0065-operations.md explains why no library is used.
"""

import logging
import os
import sys
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Literal, TypeAlias, cast, get_args

import msgspec
from msgspec import Struct

LogFormat: TypeAlias = Literal["text", "json"]
LOG_FORMATS: tuple[LogFormat, ...] = get_args(LogFormat)

_TEXT = "%(asctime)s %(levelname)s %(name)s: %(message)s"
_LOG = logging.getLogger("kiebitz")


class Access(Struct, frozen=True):
    """Fields of a line of the access log.

    ``status`` is missing if the client left before there was one. ``milliseconds`` run to the end of the response. ``principal`` is an id,
    never a token.
    """

    method: str
    path: str
    status: int | None
    milliseconds: float
    principal: str | None


class LogLine(Struct, frozen=True, omit_defaults=True):
    """Fields of a JSON log line, a closed list. ``error_id``: the id that the response names."""

    time: datetime
    level: str
    logger: str
    message: str
    process: int
    request_id: str | None = None
    error_id: str | None = None
    access: Access | None = None
    traceback: str | None = None


class JsonLines(logging.Formatter):
    """Formatter for JSON lines. ``request_id`` returns the id of the request that the calling task or thread handles."""

    def __init__(self, request_id: Callable[[], str | None]) -> None:
        super().__init__()
        self._request_id = request_id

    def format(self, record: logging.LogRecord) -> str:
        line = LogLine(
            time=datetime.fromtimestamp(record.created, UTC),
            level=record.levelname.lower(),
            logger=record.name,
            message=_encodable(record.getMessage()),
            process=record.process or os.getpid(),
            request_id=self._request_id(),
            error_id=getattr(record, "error_id", None),
            access=getattr(record, "access", None),
            traceback=_encodable(self.formatException(record.exc_info)) if record.exc_info and record.exc_info[0] else None,
        )
        return msgspec.json.encode(line).decode()


def no_request() -> None:
    """Return no id, for a process that handles no requests."""


def start_logging(how: LogFormat, request_id: Callable[[], str | None] = no_request) -> None:
    """Log to standard error: warnings and errors only. With JSON, warnings and tracebacks of Python itself are logged in the same form."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter(_TEXT) if how == "text" else JsonLines(request_id))
    logging.basicConfig(level=logging.WARNING, handlers=[handler])
    logging.getLogger("psycopg.pool").setLevel(logging.ERROR)  # each attempt to reach a database that is away, four a second
    if how == "json":
        logging.captureWarnings(True)
        sys.excepthook = _log_exception
        threading.excepthook = _thread_ended


def _log_exception(*error: Any) -> None:
    _LOG.critical("the process ends", exc_info=error)


def _thread_ended(ended: threading.ExceptHookArgs) -> None:
    if ended.exc_type is not SystemExit:
        _LOG.error("a thread ended", exc_info=cast(Any, (ended.exc_type, ended.exc_value, ended.exc_traceback)))


def _encodable(text: str) -> str:
    """Escape what UTF-8 cannot encode, such as undecodable bytes in file names."""
    return text.encode(errors="backslashreplace").decode()
