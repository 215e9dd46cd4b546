"""Lines in the notation of the game, as they become acts, and what is said of them while they are typed."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from typing import Any

from deploy.cli.recording.asking import with_told
from deploy.cli.recording.commands import SIGN
from deploy.cli.recording.door import Act
from deploy.cli.recording.following import Following
from deploy.system.language import sentence
from domain.cards import HIDDEN, Card, Seat
from domain.errors import Refused
from domain.notation.answers import Ambiguous, Incomplete, Meant, Option, Reading, Tells
from domain.notation.cutting import NotReadable
from domain.notation.deals import read_answers, read_hand
from domain.notation.grammar import ToldBeside
from domain.notation.reading import read
from domain.notation.tellings import asks_in
from domain.notation.units import SIGNS
from domain.notation.writing import write
from domain.sight import Viewer, masked

_LISTED = 50
"""Moves that are looked at where nothing is typed yet."""

_POINTS = re.compile(r"-?[0-9]{1,9}")

_ANSWERS: Mapping[str, str] = {"y": "!", "n": "~", "~": "~", "=": "!="}
"""What stands behind a move that asks whether a card lies there: it does, it does not, it does and is the last of its quartet."""


class NotTaken(Exception):
    """A line that is not taken, and why, in words."""

    def __init__(self, says: str) -> None:
        super().__init__(says)
        self.says = says


class Reader:
    """Reads for the recorder of a game, from what he is told of it. Raises ``NotTaken`` for what means nothing, or not one thing."""

    def __init__(self, game: Following, language: str) -> None:
        self._game = game
        self._language = language

    def move(self, line: str, seat: Seat) -> Act:
        match self._read(line, seat):
            case Meant(move=move, told=told):
                return Act("moves", {"seat": seat, "move": move, **_beside(told)})
            case Tells(told=told) if not told.lacks:
                return Act("tellings", {"known": told.known})
            case Tells():
                raise NotTaken(sentence("record_lacks_alone", self._language))
            case answer:
                raise NotTaken(answer.says)

    def deal(self, line: str, dealer: Seat) -> Act:
        """Nobody knows the deck; what lies open may stand in the line, else the service asks for it."""
        act = Act("hands", {"dealer": dealer, "deck": "unknown"})
        if not line:
            return act
        rulebook = self._game.newest
        asks: tuple[Mapping[str, Any], ...] = ()
        try:
            rulebook.deal(self._game.table, dealer, (HIDDEN,) * len(rulebook.deck))
        except Refused as refused:
            asks = asks_in(refused)
        with self._reading(line):
            told = read_answers(rulebook, asks, line, self._language)
        if not told.known:
            raise NotTaken(sentence("record_no_deal", self._language))
        return with_told(act, {"known": told.known})

    def deck(self, text: str, dealer: Seat) -> Act:
        """The cards in the order in which they are dealt; what is not named nobody knows."""
        with self._reading(text):
            return Act("hands", {"dealer": dealer, "deck": read_hand(self._game.newest, text, self._language), "fill": "unknown"})

    def result(self, text: str, dealer: Seat) -> Act:
        """A hand of which only the points are known, a number a party."""
        points = text.replace(":", " ").split()
        if not points or not all(_POINTS.fullmatch(number) for number in points):
            raise NotTaken(sentence("record_no_points", self._language))
        return Act("hands", {"dealer": dealer, "result": {"points": [int(number) for number in points]}})

    def cards(self, text: str, count: int) -> tuple[Card, ...]:
        """As many cards as were asked for."""
        with self._reading(text):
            read = read_hand(self._game.newest, text.removeprefix("!"), self._language)
        if len(read) != count:
            raise NotTaken(sentence("record_other_number", self._language, asked=count, count=len(read)))
        return read

    def answer(self, act: Act, text: str) -> Mapping[str, Any]:
        """What is told by the answer to whether a card lies there: as if the move had been typed with it."""
        behind = _ANSWERS.get(SIGNS[self._language].get(text.lower(), "."))
        if behind is None:
            raise NotTaken(sentence("record_yes_or_no", self._language))
        meant = self.move(self.written(act) + behind, act.body["seat"])
        return {field: meant.body[field] for field in ("known", "lacks") if field in meant.body}

    def written(self, act: Act) -> str:
        """What was taken back, as it may be typed: its cards are those that it named."""
        if act.what == "tellings":
            return sentence("record_telling", self._language)
        return write(self._game.rulebook, dict(act.body["move"]), self._language)

    def further(self, typed: str, seat: Seat) -> Iterator[str]:
        """Lines that may be meant, by their full forms."""
        if not typed.strip():
            rulebook, table = self._game.rulebook, masked(self._game.table, Viewer(seat))
            return (write(rulebook, move, self._language) for move in islice(rulebook.legal(table, seat), _LISTED))
        if typed.startswith(SIGN):
            return iter(())
        return (option.written for option in _options(self._read(typed, seat)))

    def meaning(self, typed: str, seat: Seat) -> str:
        """What the line would do, or what is missing."""
        if not typed.strip() or typed.startswith(SIGN):
            return ""
        match answer := self._read(typed, seat):
            case Meant(move=move, told=told, written=written):
                return self._game.would_be(seat, move, _beside(told)) or written
            case Tells():
                return sentence("record_telling", self._language)
            case _:
                return answer.says

    def _read(self, line: str, seat: Seat) -> Reading:
        return read(self._game.rulebook, self._game.table, seat, line, self._language)

    @contextmanager
    def _reading(self, text: str) -> Iterator[None]:
        try:
            yield
        except NotReadable as unread:
            raise NotTaken(sentence("record_no_card", self._language, rest=text[unread.at :].strip() or text)) from None


def _beside(told: ToldBeside) -> dict[str, Any]:
    return {name: zones for name, zones in (("known", told.known), ("lacks", told.lacks)) if zones}


def _options(answer: Reading) -> tuple[Option, ...]:
    match answer:
        case Meant(move=move, written=written, longer=longer):
            return (Option(move, written), *longer)
        case Ambiguous(options=options) | Incomplete(options=options):
            return options
        case _:
            return ()
