"""Entries of a recorder between two deals, and their events: a move in JSON, a move as a line of notation, or told cards."""

from typing import TypeAlias, assert_never

import msgspec
from msgspec import UNSET, Struct, UnsetType

from domain.cards import Seat
from domain.checks import check_turn
from domain.effects import plain
from domain.errors import Refused
from domain.events.game import CardsTold, MovePlayed, ToldCards, ToldWorth
from domain.notation.reading import LONGEST as LONGEST_LINE
from domain.notation.reading import read
from domain.notation.reading_types import Ambiguous, IllegalReading, Incomplete, MoveReading, Option, Reading, Tells, Unreadable
from domain.notation.syntax import MoveFaces
from domain.notation.writing import NoNotation
from domain.rules import NOTHING_TOLD, KnownFaces, Rulebook
from domain.table import Table

__all__ = [
    "LONGEST_LINE",
    "Line",
    "Made",
    "MadeMove",
    "NotOneMove",
    "check_seat_type",
    "get_known_faces",
    "move_with_codes",
    "parse_line",
    "parse_rejected_line",
    "resolve_entry",
    "seat_of_line",
]

MadeMove: TypeAlias = tuple[object, object] | tuple[object, object, KnownFaces]
"""A move as it comes in: seat and move, and cards told beside it."""


class Line(Struct, frozen=True):
    """A move in the notation (``domain/notation/``), with the letters of a language, at most ``LONGEST_LINE`` signs. Without a seat, the
    one whose turn it is.
    """

    seat: object
    text: str
    language: str


Made: TypeAlias = MadeMove | Line | KnownFaces
"""Told cards stand alone between two moves (COM-75)."""


class NotOneMove(Refused):
    """A line that does not mean exactly one move. ``options`` are moves that it, or longer lines, may mean."""

    def __init__(self, code: str, says: str, options: tuple[Option, ...] = (), at: int | None = None) -> None:
        super().__init__(code, says=says)
        self.options = options
        self.at = at


def resolve_entry(rulebook: Rulebook, table: Table, made: Made) -> MovePlayed | CardsTold:
    """Return the event of an entry. Raises ``Refused``: a line that means no move, or several, changes nothing."""
    made = parse_line(rulebook, table, made) if isinstance(made, Line) else made
    if isinstance(made, KnownFaces):
        made = _resolve_faces(rulebook, made)
        effects = rulebook.tell(table, made.known, made.worth)
        return CardsTold({} if made.known is UNSET else msgspec.convert(made.known, ToldCards), effects, _decode_hand_values(made.worth))
    seat, move, *beside = move_with_codes(rulebook, made)
    told = beside[0] if beside else NOTHING_TOLD
    effects = rulebook.resolve(table, seat, move, told)
    faces = _decode_faces(told.known), _decode_faces(told.lacks)
    return MovePlayed(check_seat_type(seat), plain(move), effects, *faces, _decode_hand_values(told.worth))


def move_with_codes(rulebook: Rulebook, made: MadeMove) -> MadeMove:
    """Return the move with codes in the place of names of cards."""
    seat, move, *beside = made
    return (seat, rulebook.with_codes(move), _resolve_faces(rulebook, beside[0])) if beside else (seat, rulebook.with_codes(move))


def _resolve_faces(rulebook: Rulebook, told: KnownFaces) -> KnownFaces:
    if told is NOTHING_TOLD:
        return told
    return KnownFaces(rulebook.card_names.in_zones(told.known), rulebook.card_names.in_zones(told.lacks), told.worth)


def parse_line(rulebook: Rulebook, table: Table, line: Line) -> MadeMove | KnownFaces:
    """Return the move that the line means, or the cards that it tells. Raises ``Refused``."""
    seat, refused = _seat_of(table, line)
    try:
        reading = read(rulebook, table, seat, line.text, line.language)
    except NoNotation:
        raise Refused("no_notation") from None
    if refused is not None and not isinstance(reading, Tells):
        raise refused
    return _convert_reading(seat, reading)


def parse_rejected_line(rulebook: Rulebook, table: Table, line: Line, seat: Seat) -> object:
    """Return the move that the line means for the seat, also out of turn and against the rules. Raises ``Refused``."""
    try:
        reading = read(rulebook, table, seat, line.text, line.language)
    except NoNotation:
        raise Refused("no_notation") from None
    if isinstance(reading, Tells):
        raise Refused("move_is_legal")
    return reading.move if isinstance(reading, IllegalReading | MoveReading) else _convert_reading(seat, reading)


def seat_of_line(table: Table, line: Line) -> Seat:
    """Return the seat for which the line is read."""
    return _seat_of(table, line)[0]


def _seat_of(table: Table, line: Line) -> tuple[Seat, Refused | None]:
    """Return a seat to read the line for, and the refusal if it may not move."""
    first = next(iter(table.to_act), 0) if table.turn is None else table.turn
    try:
        return check_turn(table, first if line.seat is None else line.seat, {}), None
    except Refused as refused:
        return first, refused


def _convert_reading(seat: Seat, reading: Reading) -> MadeMove | KnownFaces:
    match reading:
        case MoveReading(move=move, told=told):
            return (seat, move, _convert_faces(told)) if told.known or told.lacks else (seat, move)
        case Tells(told=told):
            return _convert_faces(told)
        case Ambiguous(says=says, options=options):
            raise NotOneMove("line_ambiguous", says, options)
        case Incomplete(says=says, options=options):
            raise NotOneMove("line_incomplete", says, options)
        case Unreadable(says=says, at=at):
            raise NotOneMove("line_unreadable", says, at=at)
        case IllegalReading(refused=refused):
            raise refused
        case _:
            assert_never(reading)


def _convert_faces(told: MoveFaces) -> KnownFaces:
    return KnownFaces(told.known or UNSET, told.lacks or UNSET)


def _decode_faces(zones: object) -> ToldCards | UnsetType:
    """Return the told cards as they were given; a rulebook has validated them."""
    return UNSET if zones is UNSET else msgspec.convert(zones, ToldCards)


def _decode_hand_values(worth: object) -> ToldWorth | UnsetType:
    return UNSET if worth is UNSET else msgspec.convert(worth, ToldWorth)


def get_known_faces(played: MovePlayed) -> KnownFaces:
    """Return the cards that were told with a recorded move."""
    told = KnownFaces(played.known, played.lacks, played.worth)
    return NOTHING_TOLD if told == NOTHING_TOLD else told


def check_seat_type(seat: object) -> Seat:
    """Return a seat that a rulebook has accepted, typed."""
    if type(seat) is not int:
        raise TypeError("a rulebook accepted a seat that is no number")
    return seat
