"""Check that the commands in the README and other pages print exactly the output shown there."""

from pathlib import Path

import pytest

from tests.transcript import PAGES, blocks, played

[_NIGHT] = (page for page in PAGES if page.name == "tournament-night.md")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_commands_print_what_the_page_says(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert played(text) == blocks(text)


def test_the_score_history_of_the_night_adds_up_to_its_standings() -> None:
    """The page claims this about the output of its commands."""
    printed = blocks(_NIGHT.read_text(encoding="utf-8"))[-1].splitlines()
    rows = [line.split(",") for line in printed if line[0].isdigit() and line.count(",") == 4]
    without_line = [(player, score, rest) for _, player, score, _, rest in rows if rest != "0"]
    assert (len(rows), without_line) == (17, [("mia", "4880", "1875")])
    assert all(float(score) == float(sum) + float(rest) for _, _, score, sum, rest in rows)
