"""Notation in responses: the meaning of a typed line, and the written form of moves."""

from collections.abc import Sequence
from typing import Annotated, Literal, assert_never

from msgspec import UNSET, Meta, UnsetType
from msgspec.structs import replace

from api.http.decoding import TOLD, ResponseModel
from domain.cards import Seat
from domain.errors import Refused
from domain.moves import Line, seat_of_line
from domain.notation.letters import CardUnit, NumberUnit, Sign, SignUnit, Unit
from domain.notation.reading import read
from domain.notation.reading_types import Ambiguous, IllegalReading, Incomplete, MoveReading, Option, Reading, Tells, Unreadable
from domain.notation.syntax import Faces, MoveFaces
from domain.notation.writing import NoNotation, units, write
from domain.rules import Move, Rulebook
from domain.table import Table


class NotationUnit(ResponseModel, frozen=True, kw_only=True):
    """A part of a line: a card, a sign or a number. A client narrows a list of moves by them while somebody types."""

    card: Annotated[str, Meta(description="its code")] | UnsetType = UNSET
    sign: Sign | UnsetType = UNSET
    number: int | UnsetType = UNSET
    role: (
        Annotated[
            Literal["played", "used", "free"],
            Meta(description="`played`: named first, and always. `used`: named all or none. `free`: may be left out"),
        ]
        | UnsetType
    ) = UNSET
    stays: Annotated[bool, Meta(description="it is never left out")] | UnsetType = UNSET


class LineReading(ResponseModel, frozen=True, kw_only=True):
    """The reading of a line.

    `move`: the first of `moves`; `tell`: it tells cards and is no move; `ambiguous`: any of `moves`; `incomplete`: more has to be typed;
    `impossible`: the rules refuse it; `unreadable`: something in it means nothing, at the place `at`.
    """

    reading: Literal["move", "tell", "ambiguous", "incomplete", "impossible", "unreadable"]
    says: Annotated[str, Meta(description="the problem, in words")] | UnsetType = UNSET
    code: Annotated[str, Meta(description="of the refusal")] | UnsetType = UNSET
    rules: tuple[str, ...] | UnsetType = UNSET
    at: Annotated[int, Meta(description="from 0")] | UnsetType = UNSET
    known: Annotated[Faces, Meta(description="cards that the line names, by zone", extra_json_schema=TOLD)] | UnsetType = UNSET
    lacks: Annotated[Faces, Meta(description="cards that do not lie there, by zone", extra_json_schema=TOLD)] | UnsetType = UNSET


def read_line(rulebook: Rulebook, table: Table, seat: Seat, text: str, language: str) -> tuple[list[Move], LineReading]:
    """Return the moves that the line may mean, and its reading. Raises ``Refused`` for a game that has no notation."""
    try:
        return _view_reading(read(rulebook, table, seat_of_line(table, Line(seat, text, language)), text, language))
    except NoNotation:
        raise Refused("no_notation") from None


def _view_reading(reading: Reading) -> tuple[list[Move], LineReading]:
    match reading:
        case MoveReading(move=move, told=told, longer=longer):
            return [move, *_moves(longer)], _with_faces(LineReading(reading="move"), told)
        case Tells(told=told):
            return [], _with_faces(LineReading(reading="tell"), told)
        case Ambiguous(options=options, says=says, told=told):
            return _moves(options), _with_faces(LineReading(reading="ambiguous", says=says), told)
        case Incomplete(options=options, says=says, refused=None):
            return _moves(options), LineReading(reading="incomplete", says=says)
        case Incomplete(options=options, says=says, refused=Refused(code=code, rules=rules)):
            return _moves(options), LineReading(reading="incomplete", says=says, code=code, rules=rules)
        case IllegalReading(refused=Refused(code=code, rules=rules), says=says):
            return [], LineReading(reading="impossible", says=says, code=code, rules=rules)
        case Unreadable(at=at, says=says):
            return [], LineReading(reading="unreadable", says=says, at=at)
        case _:
            raise AssertionError(reading)


def _moves(options: Sequence[Option]) -> list[Move]:
    return [option.move for option in options]


def _with_faces(reading: LineReading, told: MoveFaces) -> LineReading:
    return replace(reading, known=told.known or UNSET, lacks=told.lacks or UNSET)


def write_moves(rulebook: Rulebook, moves: Sequence[Move], language: str) -> tuple[list[str], list[list[NotationUnit]]]:
    """Return the full form of each move, and its units. Raises ``Refused`` for a game that has no notation."""
    try:
        return [write(rulebook, move, language) for move in moves], [list(map(_view_unit, units(rulebook, move))) for move in moves]
    except NoNotation:
        raise Refused("no_notation") from None


def _view_unit(unit: Unit) -> NotationUnit:
    match unit:
        case CardUnit(card=card, role=role):
            return NotationUnit(card=card, role=role)
        case SignUnit(sign=sign, stays=stays):
            return NotationUnit(sign=sign, stays=stays or UNSET)
        case NumberUnit(number=number, role=role):
            return NotationUnit(number=number, role=role)
        case _:
            assert_never(unit)


def write_recorded_move(rulebook: Rulebook, move: Move, language: str) -> str | None:
    """Return the full form of a recorded move; ``None`` for one that has none: of a game without notation, or of damaged history."""
    try:
        rulebook.list_named_cards(move)
        return write(rulebook, move, language)
    except (NoNotation, Refused, LookupError, TypeError, ValueError):
        return None


# JSON Schema of the state view: no Struct describes it, because it differs from game to game.


STATE_VIEW_REF = {"$ref": "#/components/schemas/StateView"}

STATE_VIEW = {
    "title": "StateView",
    "description": "The state view of the ruleset. These fields every game has; each adds its own.",
    "type": "object",
    "properties": {
        "ruleset": {"type": "string"},
        "options": {"type": "object"},
        "seats": {"type": "integer"},
        "parties": {"type": "array", "items": {"type": "array", "items": {"type": "integer"}}},
        "phase": {
            "type": "string",
            "description": ("no_hand, the game's own phases, hand_over or game_over; covered while the hand is hidden from the viewer"),
        },
        "hand": {"type": "integer"},
        "dealer": {"type": ["integer", "null"]},
        "turn": {"type": ["integer", "null"]},
        "to_act": {"type": "array", "items": {"type": "integer"}},
        "totals": {"type": "array", "items": {"type": "integer"}},
        "winners": {"type": ["array", "null"], "items": {"type": "integer"}},
        "unknown": {
            "type": "object",
            "additionalProperties": {"type": "integer"},
            "description": "the number of unknown cards by zone, among those that the view sees; absent if there are none",
        },
        "blocks": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "faces": {"type": "array", "items": {"type": "string"}},
                    "places": {"type": "object", "additionalProperties": {"type": "array", "items": {"type": "integer"}}},
                },
            },
            "description": "for arbiters alone: cards that lie together in an order that nobody recorded; absent if there are none",
        },
        "damaged": {"type": "boolean", "description": "the history is damaged and no rulebook can read this table: see the audit"},
        "zones": {"type": "object", "description": "only where the table is damaged: what lies where"},
        "included": {
            "type": "object",
            "properties": {
                "legal_moves": {"anyOf": [{"$ref": "#/components/schemas/LegalMoves"}, {"type": "null"}]},
                "score_sheet": {"anyOf": [{"$ref": "#/components/schemas/SignedSheet"}, {"type": "null"}]},
            },
            "description": "the parts of `include`; null for a part that the caller may not read",
        },
    },
    "required": ["ruleset", "options", "seats", "parties", "phase", "hand", "dealer", "turn", "to_act", "totals", "winners"],
    "additionalProperties": True,
}
