"""Import of the portable record (COM-60 to COM-64): reading it, and playing it by its rulebook."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from typing import Any
from uuid import UUID

import msgspec
from msgspec import UNSET, Struct, structs
from msgspec.structs import replace

from domain import codec
from domain.errors import DataIntegrityError, InvalidFormatError, Refused
from domain.events import Event, Recorded
from domain.events.game import CardsTold, HandDealt, HandReported, IllegalMoveAccepted, MovePlayed
from domain.game import Game
from domain.moves import play_on
from domain.name_validation import LONGEST_ID, is_id
from domain.opening import opening
from domain.rules import Rulebook, Rulesets
from domain.table import Table, fold
from domain.texts import say
from replay import external_context
from replay.cases import check_record, full_deck, get_known_deck, parse_entry
from replay.export import FORMAT, export
from replay.external_context import (
    Context,
    Noted,
    accept_illegal_move,
    adjust_points,
    context_in,
    drop_words,
    is_accepted_illegal_move,
    meta_in,
    ref_in,
    table_after,
)


class Refusal(Refused):
    """A record is refused at the move ``index`` of ``hand``, from 0: −1 is the start of the hand, twice −1 the set-up (COM-62)."""

    def __init__(self, refused: Refused, hand: int) -> None:
        super().__init__(refused.code, *refused.rules, **refused.detail)
        self.hand = hand
        self.index = -1 if refused.index is None else refused.index


class Record(Struct, frozen=True):
    """A record of the right form. The rulebook decides whether it is a game (``events_of``): the parts it judges are left undecoded."""

    name: str | None
    ruleset: str
    options: object
    seats: object
    players: tuple[str | None, ...]
    hands: tuple[dict[str, Any], ...]
    context: Context = Context()
    ref: dict[str, str] | None = None
    meta: str | None = None


def parse(raw: object) -> Record:
    """Parse a record from JSON text, or from decoded JSON. Raises ``InvalidFormatError`` with ``malformed_record`` and the place.

    The events of a full record are compared with the rest of it (COM-64); ``replay/history.py`` takes them over.
    """
    read = check_record(_decode_json(raw))
    if "events" in read:
        _check_events(read)
    return Record(
        name=read.get("name"),
        ruleset=read["ruleset"],
        options=read.get("options", {}),
        seats=read["seats"],
        players=tuple(read.get("players", ())),
        hands=tuple(read["hands"]),
        context=context_in(read),
        ref=ref_in(read),
        meta=meta_in(read),
    )


def _decode_json(raw: object) -> object:
    if not isinstance(raw, bytes | str):
        return raw
    try:
        return msgspec.json.decode(raw)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise InvalidFormatError("malformed_record", say("record.no_json")) from error


def _check_events(read: dict[str, Any]) -> None:
    if read.get("format") != FORMAT:
        raise InvalidFormatError("malformed_record", say("record.format", format=FORMAT), "record.format")
    try:
        history = tuple(decode_stored_event(place, event) for place, event in enumerate(read["events"], 1))
        exported = msgspec.json.decode(msgspec.json.encode(export("", history)))
    except (DataIntegrityError, AttributeError, TypeError, ValueError) as error:
        raise InvalidFormatError("malformed_record", say("record.events"), "record.events") from error
    for key in ("ruleset", "options", "seats", "players", "hands", *sorted(external_context.CONTEXT_KEYS & read.keys())):
        if not _is_same_record(read.get(key), exported.get(key)):
            raise InvalidFormatError("malformed_record", say("record.other", key=key), f"record.{key}")


_LATER = frozenset({"played_at", "stood", "adjustments"})
"""Fields of hands and moves that the export lacked when full records began: they may be missing."""


def _is_same_record(read: Any, exported: Any) -> bool:
    match read, exported:
        case dict(), dict():
            told = {key: value for key, value in exported.items() if key in read or key not in _LATER}
            return read.keys() == told.keys() and all(_is_same_record(value, told[key]) for key, value in read.items())
        case list() | tuple(), list() | tuple():
            return len(read) == len(exported) and all(_is_same_record(*pair) for pair in zip(read, exported, strict=True))
        case _:
            return bool(read == exported)


def decode_stored_event(position: int, event: dict[str, Any], game: UUID = UUID(int=0)) -> Recorded:  # noqa: B008
    """Return an event of a full record, as it was stored."""
    stored = {key: value for key, value in event.items() if key not in ("position", "name")}
    return codec.decode_event(game, position, event.get("name", ""), msgspec.json.encode(stored))


def events_of(record: Record, rulesets: Rulesets, noted: Noted = drop_words) -> tuple[Event, ...]:
    """Return the events of the game: opened, dealt and played by its rulebook. ``noted`` takes the words of people that the record holds.

    Raises ``Refusal`` where a rule says no (or no ruleset is known), and ``InvalidFormatError`` with ``bad_players``: ids are checked
    against the one pattern here, because a full record may bring older ones.
    """
    if not all(player is None or is_id(player) for player in record.players):
        raise InvalidFormatError("bad_players", say("form.id", longest=LONGEST_ID), "players")
    ruleset = rulesets.get(record.ruleset)
    if ruleset is None:
        raise Refusal(Refused("unknown_ruleset", "COM-65", ruleset=record.ruleset, known=tuple(rulesets)), -1)
    with _locate_refusals(-1):
        opened = opening(ruleset, record.options, record.seats, record.players, **structs.asdict(record.context))
        rulebook = ruleset.bind(record.options, record.seats)
    events: list[Event] = [opened]
    # Id, position and bytes stay those of an unrecorded game: only its table is read here.
    game = Game(UUID(int=0), 1, b"", opened, Table(opened.setup))
    for number, hand in enumerate(record.hands):
        with _locate_refusals(number):
            begun = _begin_hand(game, rulebook, ruleset.edition, hand)
            game = replace(game, table=fold(game.table, begun.effects))
            events.append(begun)
            for index, run in _runs(hand.get("moves", ())):
                with _from(index):
                    played, table = _play_run(game, rulebook, run, number, index)
                events += played
                game = replace(game, table=table)
            with _from(len(hand.get("moves", ()))):
                changed = adjust_points(rulebook, game.table, hand.get("adjustments", ()), noted)
            events += changed
            game = replace(game, table=table_after(game.table, *changed)) if changed else game
    return tuple(events)


def _runs(moves: Sequence[dict[str, Any]]) -> Iterator[tuple[int, list[dict[str, Any]]]]:
    """Yield moves that are played together, and each move that stood alone; with the index of the first."""
    for _, run in groupby(enumerate(moves), key=lambda entry: entry[0] if is_accepted_illegal_move(entry[1]) else None):
        found = list(run)
        yield found[0][0], [entry for _, entry in found]


def _play_run(
    game: Game, rulebook: Rulebook, run: Sequence[dict[str, Any]], hand: int, index: int
) -> tuple[Sequence[MovePlayed | CardsTold | IllegalMoveAccepted], Table]:
    """Return the events, and the table after them."""
    if is_accepted_illegal_move(run[0]):
        event = accept_illegal_move(rulebook, game.table, run[0], hand, index)
        return (event,), fold(game.table, event.effects)
    return play_on(game, rulebook, [parse_entry(move) for move in run])


def _begin_hand(game: Game, rulebook: Rulebook, edition: int, hand: dict[str, Any]) -> HandDealt | HandReported:
    """Return the first event of a hand; of a hand of which only the result is known it is the last, too."""
    played_at = hand.get("played_at", UNSET)
    if "result" in hand:
        return replace(game.report(rulebook, edition, hand["dealer"], hand["result"]), played_at=played_at)
    dealt = game.deal(rulebook, edition, hand["dealer"], full_deck(hand, rulebook), "recorded", get_known_deck(hand))
    return replace(dealt, played_at=played_at)


@contextmanager
def _from(first: int) -> Iterator[None]:
    """Count the index of a refusal in a run of moves within its hand: ``first`` is the index of the first of them."""
    try:
        yield
    except Refused as refused:
        refused.index = first + (refused.index or 0)
        raise


@contextmanager
def _locate_refusals(hand: int) -> Iterator[None]:
    try:
        yield
    except Refused as refused:
        raise Refusal(refused, hand) from refused
