"""Pages as a reader sees them: the tables of a page, row by row, and the words of its parts."""

import re
from html.parser import HTMLParser

_CELLS = {"td", "th"}
_BREAKS = {"p", "small", "br", "dt", "dd", "div", "span", "li"}


def rows(page: str) -> list[list[str]]:
    """Every row of every table of the page, cell by cell; blanks are one blank."""
    reader = _Rows()
    reader.feed(page)
    return [[" ".join(cell.split()) for cell in row] for row in reader.rows]


def part(page: str, opening: str) -> list[str]:
    """Each part of the page from this opening tag to the end of the element; elements of its kind may lie within."""
    name = opening[1:].split()[0].rstrip(">")
    return [_closed(page[found.start() :], name) for found in re.finditer(re.escape(opening), page)]


def words(page: str) -> str:
    """What stands there, without tags and style; blanks are one blank."""
    return " ".join(re.sub(r"<[^>]*>", " ", re.sub(r"<style>.*?</style>", "", page, flags=re.DOTALL)).split())


def _closed(text: str, name: str) -> str:
    depth = 0
    for tag in re.finditer(rf"<(/?){name}\b[^>]*>", text):
        depth += -1 if tag[1] else 1
        if not depth:
            return text[: tag.end()]
    raise AssertionError(f"<{name}> is never closed")


class _Rows(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self._within = False

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag == "tr":
            self.rows.append([])
        elif tag in _CELLS:
            self.rows[-1].append("")
            self._within = True
        elif tag in _BREAKS and self._within:
            self.rows[-1][-1] += " "

    def handle_endtag(self, tag: str) -> None:
        if tag in _CELLS:
            self._within = False

    def handle_data(self, data: str) -> None:
        if self._within:
            self.rows[-1][-1] += data
