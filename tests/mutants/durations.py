"""A plugin of pytest that writes how long each test took, or ``null`` if it failed, into the file that ``KIEBITZ_DURATIONS`` names.

Use it with ``-p tests.mutants.durations``.
"""

import json
import os
from collections import defaultdict
from pathlib import Path

import pytest

_SECONDS: dict[str, float] = defaultdict(float)
_FAILED: set[str] = set()


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    _SECONDS[report.nodeid] += report.duration
    if report.failed:
        _FAILED.add(report.nodeid)


def pytest_sessionfinish(session: pytest.Session) -> None:
    if not hasattr(session.config, "workerinput"):
        Path(os.environ["KIEBITZ_DURATIONS"]).write_text(json.dumps({**_SECONDS, **dict.fromkeys(_FAILED)}), encoding="utf8")
