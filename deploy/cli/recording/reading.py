"""Lines in the notation of the game, as they become acts, and what is said of them while they are typed."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

from deploy.cli.recording.commands import SIGN
from deploy.cli.recording.door import Act
from deploy.cli.recording.faces import NoCard, faces
from deploy.cli.recording.following import Following
from deploy.language import sentence
from domain.cards import Card, Seat
from domain.notation.answers import Ambiguous, Incomplete, Meant, Option, Reading, Tells
from domain.notation.grammar import ToldBeside
from domain.notation.reading import read
from domain.notation.units import SIGNS
from domain.notation.writing import notation_of, write
from domain.sight import Viewer, masked

_LISTED = 50
"""Moves that are looked at where nothing is typed yet."""


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
            case Tells(told=told):
                return Act("tellings", {"known": told.known})
            case answer:
                raise NotTaken(answer.says)

    def deal(self, line: str, dealer: Seat) -> Act:
        """The empty line deals from a deck of which nobody knows anything."""
        if line:
            raise NotTaken(sentence("record_no_deal", self._language))
        return Act("hands", {"dealer": dealer, "deck": "unknown"})

    def deck(self, text: str, dealer: Seat) -> Act:
        """The cards in the order in which they are dealt; what is not named nobody knows."""
        return Act("hands", {"dealer": dealer, "deck": self._faces(text), "fill": "unknown"})

    def cards(self, text: str, count: int) -> tuple[Card, ...]:
        """As many cards as were asked for."""
        read = self._faces(text.removeprefix("!"))
        if len(read) != count:
            raise NotTaken(sentence("record_other_number", self._language, asked=count, count=len(read)))
        return read

    def is_yes(self, answer: str) -> bool:
        meant = SIGNS[self._language].get(answer.lower())
        if meant not in ("y", "n", "~"):
            raise NotTaken(sentence("record_yes_or_no", self._language))
        return meant == "y"

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

    def _faces(self, text: str) -> tuple[Card, ...]:
        try:
            return faces(text, notation_of(self._game.rulebook).typed(self._language))
        except NoCard as unread:
            raise NotTaken(sentence("record_no_card", self._language, rest=unread.rest)) from None


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
