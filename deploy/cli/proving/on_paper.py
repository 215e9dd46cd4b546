"""What people compare: a mark or a root as words or digits, on a screen and on paper."""

from collections.abc import Iterator, Sequence

from deploy.cli.proving.found import Good, OnPaper
from replay.proof.words import is_said


def on_paper(said: str, proven: Sequence[Good]) -> OnPaper:
    """Which of the files has what stands on paper."""
    return OnPaper(said, next((found for one in proven for found in _same(said, one)), None))


def _same(said: str, one: Good) -> Iterator[tuple[str, str, int]]:
    proven = one.proven
    checkpoints = [proven.checkpoint, *([proven.earlier] if proven.earlier else [])]
    if is_said(said, proven.mark):
        yield "mark", one.file, proven.file.last
    yield from (("root", one.file, checkpoint.size) for checkpoint in checkpoints if is_said(said, checkpoint.root))
