"""The README promises nothing that was not run."""

from tests.transcript import README, blocks, played


def test_the_tour_prints_what_the_readme_says() -> None:
    text = README.read_text(encoding="utf-8")
    assert played(text) == blocks(text)
