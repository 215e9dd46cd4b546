"""Told cards behind the move of a line (section "Cards that nobody has told" of ``docs/notation.md``).

``!`` begins faces, in the order in which they leave the zone that the act asks for; ``?`` is a face that nobody saw, ``@2 !`` the hand of
that seat, ``!~`` faces that do not lie there.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from msgspec import Struct

from domain.cards import HIDDEN, Card, Seat
from domain.errors import Refused
from domain.notation.card_names import CardNames
from domain.notation.letters import Move
from domain.notation.syntax import FaceClause, Faces, MoveContext, MoveFaces, Notation
from domain.notation.tokenizer import NameNotClear, NotReadable, longest_name

_SEAT = re.compile(r"@\s*([0-9]{1,4})\s*$")


class Part(Struct, frozen=True):
    """A part of the line that one ``!`` begins, or ``~`` behind a move. ``seat``: the owner of the hand; ``at``: where the text begins."""

    seat: Seat | None
    said: FaceClause
    at: int


def split_line(notation: Notation, line: str, language: str) -> tuple[str, tuple[Part, ...]]:
    """Split the line into the move and the parts told behind it. Raises ``NotReadable``."""
    move, *tails = line.split("!")
    at = len(move)
    parts: list[Part] = []
    move, seat = _split_seat(move, telling=bool(tails))
    for number, tail in enumerate(tails):
        at += 1
        text, following = _split_seat(tail, telling=number + 1 < len(tails))
        parts.append(Part(seat, _parse_faces(notation, text, at, language), at))
        at, seat = at + len(tail), following
    if notation.grammar.denies and move.rstrip().endswith("~"):
        move = move.rstrip()[:-1]
        parts.insert(0, Part(None, FaceClause(denied=True), len(move)))
    return move.rstrip(), tuple(parts)


def _split_seat(text: str, *, telling: bool) -> tuple[str, Seat | None]:
    """Return a text without the seat at its end, if ``!`` follows."""
    found = _SEAT.search(text) if telling else None
    return (text[: found.start()], int(found[1])) if found else (text, None)


def _parse_faces(notation: Notation, text: str, at: int, language: str) -> FaceClause:
    inner = text.strip()
    if inner == "=" and notation.grammar.denies:
        return FaceClause(laid=True)
    denied = inner.startswith("~")
    start = text.index("~") + 1 if denied else 0
    return FaceClause(faces_of(notation, text[start:], language, at + start), denied)


def faces_of(notation: Notation, text: str, language: str, at: int = 0) -> tuple[Card, ...]:
    """Return the cards, each with its suit, ``?`` for one without a face. Raises ``NotReadable``, also if they could be others."""
    typed = {form: next(iter(faces)) for form, faces in notation.cards_by_text(language).items() if len(faces) == 1} | {HIDDEN: HIDDEN}
    reading = _Faces(text.lower(), typed, language)
    if not (ways := list(dict.fromkeys(reading.list_readings(0)))):
        reading = _Faces(text.lower(), typed, language, notation.names)
        ways = list(dict.fromkeys(reading.list_readings(0)))
    if not ways and reading.not_clear:
        place, start, named = reading.not_clear
        raise NameNotClear(at + place, start, named)
    if len(ways) != 1:
        raise NotReadable(at + (reading.furthest if not ways else 0))
    return ways[0]


class _Faces:
    def __init__(self, text: str, typed: Mapping[str, Card], language: str, names: CardNames | None = None) -> None:
        self.language = language
        self.names = names
        self.not_clear: tuple[int, str, Mapping[Card, str]] | None = None
        self.text = text
        self.typed = typed
        self.longest = max(map(len, typed))
        self.furthest = 0

    def list_readings(self, at: int) -> Iterator[tuple[Card, ...]]:
        while at < len(self.text) and self.text[at].isspace():
            at += 1
        self.furthest = max(self.furthest, at)
        if at == len(self.text):
            yield ()
        if self.names:
            yield from self._named(self.names, at)
        for end in range(min(at + self.longest, len(self.text)), at, -1):
            if (card := self.typed.get(self.text[at:end])) is not None:
                for rest in self.list_readings(end):
                    yield (card, *rest)

    def _named(self, names: CardNames, at: int) -> Iterator[tuple[Card, ...]]:
        end, named = longest_name(names, self.text, at, self.language)
        if len(named) == 1:
            for rest in self.list_readings(end):
                yield (*named, *rest)
        elif named and self.text[at:end] not in self.typed:
            self.not_clear = self.not_clear or (at, self.text[at:end], named)


def of_hands(parts: Sequence[Part]) -> MoveFaces:
    """Return the cards told of the hands of seats that are named."""
    known: Faces = {}
    lacks: Faces = {}
    for part in parts:
        if part.seat is not None:
            zones, zone = (lacks if part.said.denied else known), f"hand:{part.seat}"
            zones[zone] = (*zones.get(zone, ()), *part.said.faces)
    return MoveFaces(known, lacks)


def merge_parts(situation: MoveContext, move: Move, parts: Sequence[Part]) -> MoveFaces:
    """Return the cards that all parts tell beside the move. Raises ``NotReadable`` where the move asks for nothing and the game knows
    nothing to tell.
    """
    found = of_hands(parts)
    for part in parts:
        if part.seat is None:
            found = join_faces(found, _read_act(situation, move, part, found))
    return found


def _read_act(situation: MoveContext, move: Move, part: Part, before: MoveFaces) -> MoveFaces:
    notation = situation.notation
    tells = notation.grammar.tells
    told = tells(situation.game_options, situation.table_view, situation.seat, move, part.said) if tells else None
    if told is None:
        told = assign_faces(asks_of(notation, situation, move, before), part.said)
    if told is None and part.said == FaceClause():  # the sign is there, the faces are still to come
        return MoveFaces()
    if told is None:
        raise NotReadable(part.at - 1)
    return MoveFaces(lacks=told.known) if part.said.denied and part.said.faces else told


def asks_of(notation: Notation, situation: MoveContext, move: Move, told: MoveFaces) -> tuple[Mapping[str, Any], ...]:
    """Return the questions of the act, as ``card_unknown`` lists them; none, if it asks for nothing."""
    try:
        notation.judge(situation.table, situation.seat, move, told)
    except Refused as refused:
        return asks_in(refused)
    return ()


def asks_in(refused: Refused) -> tuple[Mapping[str, Any], ...]:
    return cast("tuple[Mapping[str, Any], ...]", refused.detail.get("asks", ())) if refused.code == "card_unknown" else ()


def assign_faces(asks: Sequence[Mapping[str, Any]], said: FaceClause) -> MoveFaces | None:
    """Return the faces as answers to the questions, in turn. Fewer faces than a single zone asks for are those that leave it last."""
    if not asks:
        return None
    known: Faces = {}
    lacks: Faces = {}
    left = said.faces
    for ask in asks:
        zone = str(ask["zone"])
        if "face" in ask:
            (lacks if said.denied else known)[zone] = (str(ask["face"]),)
            continue
        places = tuple(ask["places"]) if "places" in ask else tuple(range(int(ask["count"])))
        some, left = (left, ()) if len(asks) == 1 else (left[: len(places)], left[len(places) :])
        if some:
            known[zone] = _in_place(some, places)
    return MoveFaces(known, lacks)


def _in_place(faces: tuple[Card, ...], places: tuple[int, ...]) -> tuple[Card, ...]:
    """Return the faces in their places, after hidden cards for those that nobody saw."""
    if len(faces) == len(places):
        by_place = dict(zip(places, faces, strict=True))
        return tuple(by_place.get(place, HIDDEN) for place in range(max(places) + 1))
    return (HIDDEN,) * (max(places) + 1 - len(faces)) + faces


def join_faces(one: MoveFaces, other: MoveFaces) -> MoveFaces:
    return MoveFaces(_both(one.known, other.known), _both(one.lacks, other.lacks))


def _both(one: Faces, other: Faces) -> Faces:
    both = {zone: (*one.get(zone, ()), *other.get(zone, ())) for zone in (*one, *(zone for zone in other if zone not in one))}
    return {zone: faces for zone, faces in both.items() if faces}
