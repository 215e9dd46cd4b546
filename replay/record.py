"""The portable record: the format in which games come in and go out (COM-60 to COM-64).

A record tells all cards. To whom it may be given is the caller's to decide.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from uuid import UUID

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain import codec
from domain.effects import dealt_deck
from domain.errors import Corrupt, Malformed, Refused
from domain.events import (
    Event,
    GameAbandoned,
    GameAnnulled,
    GameOpened,
    HandDealt,
    MovePlayed,
    MoveStood,
    PointsAdjusted,
    Recorded,
    TableRectified,
    Unreadable,
)
from domain.game import Game, opening, project
from domain.rules import Rulesets
from domain.table import Table, fold
from replay.cases import checked, full_deck
from replay.texts import texts_of

FORMAT = "kiebitz-record/1"
"""What a full record names as its ``format``."""


class Refusal(Refused):
    """A record is refused at the move ``index`` of ``hand``, from 0: −1 is the start of the hand, twice −1 the set-up (COM-62)."""

    def __init__(self, refused: Refused, hand: int) -> None:
        super().__init__(refused.code, *refused.rules, **refused.detail)
        self.hand = hand
        self.index = -1 if refused.index is None else refused.index


# Out


def export(name: str, history: Sequence[Recorded]) -> dict[str, Any]:
    """The simple record: the moves that stand, from the whole history of a game; a note says what moves alone do not tell.

    Raises ``Corrupt`` if the opening cannot be read.
    """
    game = _standing(history)
    record = _moves(name, game, history)
    left_out = _left_out(game, history)
    return {**record, "note": left_out} if left_out else record


def _standing(history: Sequence[Recorded]) -> Game:
    game = project(None, history)
    if game is None:
        raise ValueError("a record needs a history")
    return game


def _moves(name: str, game: Game, history: Sequence[Recorded]) -> dict[str, Any]:
    setup, players = game.setup, game.opened.players
    record: dict[str, Any] = {"name": name, "ruleset": setup.ruleset, "options": setup.options, "seats": setup.seats}
    if any(player is not None for player in players):
        record["players"] = list(players)
    standing = (recorded.event for recorded in history if not game.is_void(recorded.position))
    return {**record, "hands": _hands(standing)}


_BEYOND_MOVES = {
    MoveStood: "illegal moves that stood",
    TableRectified: "rectifications of the table",
    PointsAdjusted: "adjustments of points",
    GameAbandoned: "the abandonment of the game",
    GameAnnulled: "the annulment of the game",
}


def _left_out(game: Game, history: Sequence[Recorded]) -> str | None:
    """What counts in the game and is no legal move: whoever plays the record anew gets another game without it."""
    counting = {type(recorded.event) for recorded in history if not game.is_void(recorded.position)}
    found = [words for kind, words in _BEYOND_MOVES.items() if kind in counting]
    return f"Not in this record, which holds moves only: {', '.join(found)}. The full record holds everything." if found else None


def export_full(name: str, history: Sequence[Recorded], texts: Callable[[str], str | None] | None = None) -> dict[str, Any]:
    """The record together with every event as it is stored, void ones included.

    ``texts`` finds the words of people by their ids: with it they go along, as far as they have not been erased.
    """
    record = _moves(name, _standing(history), history)
    first = history[0]
    assert isinstance(first.event, GameOpened)
    head = {"format": FORMAT, "id": str(first.stream), "edition": first.event.edition}
    full = {**head, **record, "events": [_stored(recorded) for recorded in history]}
    return {**full, "texts": texts_of(history, texts)} if texts else full


def _hands(standing: Iterable[Event]) -> list[dict[str, Any]]:
    hands: list[dict[str, Any]] = []
    for event in standing:
        match event:
            case HandDealt():
                hands.append({"dealer": event.dealer, "deck": list(dealt_deck(event.effects)), "moves": []})
            case MovePlayed() | MoveStood() if hands:
                hands[-1]["moves"].append({"seat": event.seat, "move": event.move})
            case _:
                pass
    return hands


def _stored(recorded: Recorded) -> dict[str, Any]:
    """The stored JSON object as it is, with its place. Encoded without blanks it gives the stored bytes, on which the links rest."""
    place = {"position": recorded.position, "name": recorded.name}
    if isinstance(recorded.event, Unreadable):
        return {**place, "unreadable": recorded.state.decode(errors="replace")}
    return {**place, **msgspec.json.decode(recorded.state)}


# In


class Record(Struct, frozen=True):
    """A record of the right form. Whether it is a game, the rulebook says (``events_of``): what it judges is left undecoded."""

    name: str | None
    ruleset: str
    options: object
    seats: object
    players: tuple[str | None, ...]
    hands: tuple[dict[str, Any], ...]


def parse(raw: object) -> Record:
    """From JSON text, or from what was decoded from it. Raises ``Malformed`` with ``malformed_record`` and the place.

    The events of a full record are compared with the rest of it (COM-64); ``replay/history.py`` takes them over.
    """
    read = checked(_decoded(raw))
    if "events" in read:
        _check_events(read)
    players, hands = read.get("players", ()), read["hands"]
    return Record(read.get("name"), read["ruleset"], read.get("options", {}), read["seats"], tuple(players), tuple(hands))


def _decoded(raw: object) -> object:
    if not isinstance(raw, bytes | str):
        return raw
    try:
        return msgspec.json.decode(raw)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise Malformed("malformed_record", f"this is not JSON: {error}") from error


def _check_events(read: dict[str, Any]) -> None:
    if read.get("format") != FORMAT:
        raise Malformed("malformed_record", f"a record with events is of the format {FORMAT!r}", "record.format")
    try:
        history = tuple(stored_event(place, event) for place, event in enumerate(read["events"], 1))
        told = msgspec.json.decode(msgspec.json.encode(_moves("", _standing(history), history)))
    except (Corrupt, AttributeError, TypeError, ValueError) as error:
        raise Malformed("malformed_record", f"the events cannot be read: {error}", "record.events") from error
    for key in ("ruleset", "options", "seats", "players", "hands"):
        if read.get(key) != told.get(key):
            raise Malformed("malformed_record", f"the events tell of other {key}", f"record.{key}")


def stored_event(position: int, event: dict[str, Any], game: UUID = UUID(int=0)) -> Recorded:  # noqa: B008
    """An event of a full record, as it was stored."""
    stored = {key: value for key, value in event.items() if key not in ("position", "name")}
    return codec.read(game, position, event.get("name", ""), msgspec.json.encode(stored))


# Playing it


def events_of(record: Record, rulesets: Rulesets) -> tuple[Event, ...]:
    """The events of the game: opened, dealt and played by its rulebook.

    Raises ``Refusal`` where a rule says no (or no ruleset is known), and ``Malformed`` with ``bad_players``.
    """
    ruleset = rulesets.get(record.ruleset)
    if ruleset is None:
        raise Refusal(Refused("unknown_ruleset", "COM-65", ruleset=record.ruleset, known=tuple(rulesets)), -1)
    with _placed(-1):
        opened = opening(ruleset, record.options, record.seats, record.players)
        rulebook = ruleset.bind(record.options, record.seats)
    events: list[Event] = [opened]
    game = Game(UUID(int=0), 1, b"", opened, Table(opened.setup))
    for number, hand in enumerate(record.hands):
        with _placed(number):
            dealt = game.deal(rulebook, ruleset.edition, hand["dealer"], full_deck(hand, rulebook), "recorded")
            game = _after(game, dealt)
            played = game.play(rulebook, [(move["seat"], move["move"]) for move in hand["moves"]])
            game = _after(game, *played)
        events += (dealt, *played)
    return tuple(events)


def _after(game: Game, *events: HandDealt | MovePlayed) -> Game:
    return replace(game, table=fold(game.table, (effect for event in events for effect in event.effects)))


@contextmanager
def _placed(hand: int) -> Iterator[None]:
    try:
        yield
    except Refused as refused:
        raise Refusal(refused, hand) from refused
