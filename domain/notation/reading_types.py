"""Readings of a line: the closed type of all answers (section "Answers" of ``docs/notation.md``)."""

from typing import TypeAlias

from msgspec import Struct

from domain.errors import Refused
from domain.notation.letters import Move
from domain.notation.syntax import MoveFaces


class Option(Struct, frozen=True):
    """A move with its full form."""

    move: Move
    written: str


class MoveReading(Struct, frozen=True, tag="move", tag_field="reading"):
    """One legal move. ``told``: what the line tells beside it, for ``known`` and ``lacks``. ``longer``: what longer lines would mean.

    Whether the act asks for cards (``card_unknown``) is found when it is sent, as with a move in JSON.
    """

    move: Move
    written: str
    told: MoveFaces = MoveFaces()
    longer: tuple[Option, ...] = ()


class Tells(Struct, frozen=True, tag="tell", tag_field="reading"):
    """A line without a move that tells cards (COM-75), or what lies where after a deal."""

    told: MoveFaces


class Ambiguous(Struct, frozen=True, tag="ambiguous", tag_field="reading"):
    """Several moves fit equally: none is taken. The usual one comes first. Callers who may not see the hand may not get this reading
    (NOT-11).
    """

    options: tuple[Option, ...]
    says: str
    told: MoveFaces = MoveFaces()


class Incomplete(Struct, frozen=True, tag="incomplete", tag_field="reading"):
    """A line that needs more. ``options``: moves that longer lines mean; ``refused``: the refusal of the line as it is."""

    options: tuple[Option, ...]
    says: str
    refused: Refused | None = None


class IllegalReading(Struct, frozen=True, tag="impossible", tag_field="reading"):
    """The rules refuse what the line says literally, ``move``. ``says``: the sentence of the refusal with its rules."""

    refused: Refused
    says: str
    move: Move


class Unreadable(Struct, frozen=True, tag="unreadable", tag_field="reading"):
    """A line that means nothing. ``at``: the place in the line, from 0, where something stands that means nothing there."""

    at: int
    says: str


Reading: TypeAlias = MoveReading | Tells | Ambiguous | Incomplete | IllegalReading | Unreadable
