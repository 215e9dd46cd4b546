"""Writes the golden playthroughs anew: ``python -m tests.golden``. Look at the difference before you commit it."""

import sys

from tests.golden.playthroughs import ALL, renewed, written
from tests.golden.told import write_missing


def main() -> None:
    changed = 0
    for golden in ALL:
        text = written(renewed(golden))
        if not golden.file.exists() or golden.file.read_text(encoding="utf-8") != text:
            golden.file.parent.mkdir(exist_ok=True)
            golden.file.write_text(text, encoding="utf-8")
            changed += 1
    sys.stdout.write(f"{changed} of {len(ALL)} golden playthroughs written, {write_missing()} files of what views are told\n")


main()
