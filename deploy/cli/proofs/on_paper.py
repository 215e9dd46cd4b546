"""What people compare: a mark or a root as words or digits, on a screen and on paper."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from deploy.cli.proofs.found import Good
from deploy.language import sentence
from replay.proof.words import digits_of, is_said, words_of


class OnPaper(Struct, frozen=True):
    """Words or digits that stand on paper: whether it is the mark or a root of which file, and up to which position or size."""

    said: str
    found: tuple[str, str, int] | None

    @property
    def exit_code(self) -> int:
        return int(self.found is None)

    def in_words(self, language: str) -> str:
        if self.found is None:
            return f"✗ {sentence('paper_otherwise', language, said=self.said)}"
        kind, file, upto = self.found
        return f"✓ {file}: {sentence(f'paper_{kind}', language, upto=upto)}"

    def as_json(self) -> dict[str, object]:
        kind, file, upto = self.found or (None, None, None)
        return {"paper": self.said, "is": kind, "file": file, "upto": upto}


def on_paper(said: str, proven: Sequence[Good]) -> OnPaper:
    """Which of the files has what stands on paper."""
    return OnPaper(said, next((found for one in proven for found in _same(said, one)), None))


def _same(said: str, one: Good) -> Iterator[tuple[str, str, int]]:
    proven = one.proven
    checkpoints = [proven.checkpoint, *([proven.earlier] if proven.earlier else [])]
    if is_said(said, proven.mark):
        yield "mark", one.file, proven.file.last
    yield from (("root", one.file, checkpoint.size) for checkpoint in checkpoints if is_said(said, checkpoint.root))


def in_full(found: Good, language: str) -> str:
    """With the mark and the root as people compare them."""
    first, *more = found.in_words(language).splitlines()
    return "\n".join(
        [first, *_compared("mark", found.proven.mark, language), *_compared("root", found.proven.checkpoint.root, language), *more]
    )


def _compared(what: str, hashed: bytes, language: str) -> Iterator[str]:
    yield f"    {sentence(f'compared_{what}', language)}"
    yield f"        {words_of(hashed)}"
    yield f"        {digits_of(hashed)}"
