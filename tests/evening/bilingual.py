"""A book that asks everything once more in German, and finds what is told in the same sentence to both."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from domain.texts import LANGUAGES
from tests.evening.asgi import Driver, Headers
from tests.evening.book import JSON, NDJSON, Answer, Ask, Book, secret_of
from tests.evening.chance import Chance
from tests.evening.script import CHAPTERS
from tests.evening.service import opened

_ENGLISH_ON_PURPOSE = ("/openapi.json", "/docs", "/metrics")
"""What describes the service to those who write programs."""
_WORD = re.compile(r"[„\"(]*[^\W\d_]{2,}[“\".,:;?!)]*")


WITH_SENTENCES = ("play", "fouls", "disputes", "players", "announcing", "club_night", "tables", "records", "strictness")


def shared_sentences(folder: Path, chapters: Iterable[str] = WITH_SENTENCES) -> dict[str, str]:
    """Those that are told in the same words to both in these chapters, each with where it stands."""
    chance = Chance()
    with opened(folder, None, chance, limited=False) as service, Driver(service.app, service.settle) as driver:
        book = Bilingual(driver.ask, chance.turn)
        for chapter in chapters:
            CHAPTERS[chapter](book)
    return book.found


class Bilingual(Book):
    """``found`` holds each sentence that both languages share, with where it stands, but for words that somebody sent."""

    def __init__(self, ask: Ask, turn: Callable[[int], None]) -> None:
        super().__init__(ask, turn, lambda line: None)
        self.found: dict[str, str] = {}
        self._sent: set[str] = set()

    def _exchange(self, role: str, method: str, target: str, headers: Mapping[str, str], body: bytes | None) -> Answer:
        self._sent |= set(_strings(_json(body or b"")))
        answer = super()._exchange(role, method, target, headers, body)
        asked_again = method == "GET" or answer.status >= 400
        if asked_again and "accept-language" not in headers and not target.startswith(_ENGLISH_ON_PURPOSE):
            self._compare(f"{method} {target}", answer, self._in_german(role, method, target, headers, body))
        return answer

    def _in_german(self, role: str, method: str, target: str, headers: Mapping[str, str], body: bytes | None) -> Answer:
        asked: Headers = [("host", "evening"), *headers.items(), ("accept-language", "de")]
        asked += [("authorization", f"Bearer {secret_of(role)}")] if role != "nobody" and "authorization" not in headers else []
        asked += [("content-length", str(len(body)))] if body is not None and "content-length" not in headers else []
        return Answer(*self._ask(method, target, asked, body or b""))

    def _compare(self, where: str, english: Answer, german: Answer) -> None:
        told = {text for text in _told(english) & _told(german) if _is_sentence(text)}
        for text in told:
            if not any(text in own or own in text for own in self._sent if _is_sentence(own)):
                self.found.setdefault(text, where)


def _is_sentence(text: str) -> bool:
    return sum(_WORD.fullmatch(word) is not None for word in text.split()) > 2


def _told(answer: Answer) -> set[str]:
    kind = answer.header("content-type").partition(";")[0]
    match kind:
        case "text/html":
            return set(_Texts.of(answer.body.decode()))
        case _ if kind == JSON or kind.endswith("+json"):
            return set(_strings(_json(answer.body)))
        case _ if kind == NDJSON:
            return {text for line in answer.body.splitlines() for text in _strings(_json(line))}
        case _:
            return set()


def _json(body: bytes) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


def _strings(value: Any) -> Iterator[str]:
    match value:
        case str():
            yield value
        case dict() if not set(LANGUAGES) <= value.keys():  # names by language are told in all of them to everybody
            for name, item in value.items():
                yield from _strings(item) if name != "deck_def" else ()  # a deck is data, in whatever language it was written
        case list():
            for item in value:
                yield from _strings(item)


class _Texts(HTMLParser):
    """The texts of a page, but for its styles."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self._within = ""

    @classmethod
    def of(cls, page: str) -> list[str]:
        parser = cls()
        parser.feed(page)
        return parser.texts

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._within = tag

    def handle_data(self, data: str) -> None:
        if self._within not in ("style", "script") and (text := " ".join(data.split())):
            self.texts.append(text)
