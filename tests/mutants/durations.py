"""A plugin of pytest that writes how long each test took into the file that ``KIEBITZ_DURATIONS`` names.

Use it with ``-p tests.mutants.durations``.
"""

import json
import os
from collections import defaultdict
from pathlib import Path

import pytest

_SECONDS: dict[str, float] = defaultdict(float)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    _SECONDS[report.nodeid] += report.duration


def pytest_sessionfinish(session: pytest.Session) -> None:
    if not hasattr(session.config, "workerinput"):
        Path(os.environ["KIEBITZ_DURATIONS"]).write_text(json.dumps(_SECONDS), encoding="utf8")
