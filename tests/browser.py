"""Page measurements in a real browser, if the machine has Chromium.

The headless build of Debian takes a quarter less time (``apt install chromium-headless-shell``).
"""

import json
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from html import unescape
from pathlib import Path

import pytest

_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, _NAMES)), None)
needs_browser = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium to measure pages with")

_MEASURE = "<script>parent.postMessage([innerWidth, document.documentElement.scrollWidth], '*')</script>"
_COLLECT = "const all = []; addEventListener('message', told => { all.push(told.data); document.title = JSON.stringify(all); })"
_OPTIONS = ("--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--virtual-time-budget=20000", "--dump-dom")


def taken_widths(page: str, widths: Sequence[int], folder: Path) -> Mapping[int, int]:
    """Return for each width of a window the width of the page in it; it is larger only if something overflows."""
    (folder / "page.html").write_text(page.replace("</body>", f"{_MEASURE}</body>"), encoding="utf-8")
    frames = "".join(f'<iframe src="page.html" style="border: 0" width="{width}" height="800"></iframe>' for width in widths)
    (folder / "frames.html").write_text(f"<!doctype html><script>{_COLLECT}</script>{frames}", encoding="utf-8")
    address = (folder / "frames.html").as_uri()
    command = [str(CHROMIUM), *_OPTIONS, f"--user-data-dir={folder / 'profile'}", address]
    shown = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300).stdout
    (title,) = re.findall(r"<title>(.*?)</title>", shown)
    return dict(json.loads(unescape(title)))
