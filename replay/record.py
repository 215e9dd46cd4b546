"""Import of the portable record (COM-60 to COM-64): reading it, playing it by its rulebook, and the history in it."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import groupby
from typing import Any
from uuid import UUID

import msgspec
from msgspec import UNSET, Struct, structs
from msgspec.structs import replace

from domain import codec
from domain.errors import DataIntegrityError, InvalidFormatError, Refused
from domain.events import Event, Recorded, Stamp
from domain.events.game import CardsTold, HandDealt, HandReported, IllegalMoveAccepted, MovePlayed
from domain.free_texts import SaltedText
from domain.game import Game
from domain.moves import play_on
from domain.name_validation import LONGEST_ID, is_id
from domain.opening import opening
from domain.rules import Rulebook, Rulesets
from domain.table import Table, fold
from domain.texts import say
from replay import external_context
from replay import external_context as external
from replay.audit import audit
from replay.audit_result import Audit
from replay.cases import check_record, full_deck, get_known_deck, parse_entry
from replay.editions import Editions
from replay.export import FORMAT, check_texts, export


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
    context: external.Context = external.Context()
    ref: dict[str, str] | None = None
    meta: str | None = None


def parse(raw: object) -> Record:
    """Parse a record from JSON text, or from decoded JSON. Raises ``InvalidFormatError`` with ``malformed_record`` and the place.

    The events of a full record are compared with the rest of it (COM-64); ``history_of`` takes them over.
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
        context=external.context_in(read),
        ref=external.ref_in(read),
        meta=external.meta_in(read),
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


def events_of(record: Record, rulesets: Rulesets, noted: external.Noted = external.drop_words) -> tuple[Event, ...]:
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
                changed = external.adjust_points(rulebook, game.table, hand.get("adjustments", ()), noted)
            events += changed
            game = replace(game, table=external.table_after(game.table, *changed)) if changed else game
    return tuple(events)


def _runs(moves: Sequence[dict[str, Any]]) -> Iterator[tuple[int, list[dict[str, Any]]]]:
    """Yield moves that are played together, and each move that stood alone; with the index of the first."""
    for _, run in groupby(enumerate(moves), key=lambda entry: entry[0] if external.is_accepted_illegal_move(entry[1]) else None):
        found = list(run)
        yield found[0][0], [entry for _, entry in found]


def _play_run(
    game: Game, rulebook: Rulebook, run: Sequence[dict[str, Any]], hand: int, index: int
) -> tuple[Sequence[MovePlayed | CardsTold | IllegalMoveAccepted], Table]:
    """Return the events, and the table after them."""
    if external.is_accepted_illegal_move(run[0]):
        event = external.accept_illegal_move(rulebook, game.table, run[0], hand, index)
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


# The history in a record: the stored events of a full record, or those of a simple one, played again.


NEVER = datetime(1, 1, 1, tzinfo=UTC)
"""The recording time of the events of a simple record, which is not known."""


def history_of(read: Any, rulesets: Rulesets) -> tuple[Recorded, ...]:
    """Return the history from the decoded JSON. Raises ``InvalidFormatError``, and ``Refusal`` for a simple record that its rulebook
    refuses.
    """
    record = parse(read)
    if is_full_record(read):
        return tuple(decode_stored_event(position, event) for position, event in enumerate(read["events"], 1))
    return codec.link_events(UUID(int=0), 0, None, Stamp(NEVER, ""), events_of(record, rulesets))


def legal_history_of(read: Any, rulesets: Rulesets) -> tuple[tuple[Recorded, ...], Refusal | None]:
    """Return the history up to the first refusal, and the refusal. Raises ``Refusal`` if the set-up is refused: there is no game."""
    try:
        return history_of(read, rulesets), None
    except Refusal as refused:
        if refused.hand < 0:
            raise
        return history_of({**read, "hands": _cut_at_refusal(read["hands"], refused)}, rulesets), refused


def _cut_at_refusal(hands: Sequence[dict[str, Any]], refused: Refusal) -> list[dict[str, Any]]:
    accepted = list(hands[: refused.hand])
    if refused.index is not None and refused.index >= 0:
        hand = hands[refused.hand]
        accepted.append({**hand, "moves": hand["moves"][: refused.index]})
    return accepted


def is_full_record(read: object) -> bool:
    """Return whether the record brings the events themselves."""
    return isinstance(read, dict) and "events" in read


class ImportedHistory(Struct, frozen=True):
    """The content of a full record: a whole game as it was recorded elsewhere, and free texts of people by their ids."""

    history: tuple[Recorded, ...]
    texts: Mapping[str, SaltedText]


def take_over(read: dict[str, Any], editions: Editions) -> ImportedHistory:
    """Return the events of a full record exactly as they were stored: ids, times, principals, links, void events, acts of officials.

    ``parse`` has accepted the record. Raises ``InvalidFormatError`` with ``malformed_record`` where id, positions or texts are invalid, and
    with ``divergent_record`` where the audit finds a divergence, ``unjudged_record`` where no rules are kept to judge it.
    """
    game = _id(read)
    history = tuple(decode_stored_event(position, event, game) for position, event in enumerate(read["events"], 1))
    misplaced = [place for place, event in enumerate(read["events"], 1) if event.get("position") != place]
    if misplaced:
        raise InvalidFormatError("malformed_record", say("record.positions"), f"record.events[{misplaced[0] - 1}]")
    _check_no_mismatch(audit(history, editions))
    return ImportedHistory(history, check_texts(read.get("texts", {}), read.get("salts", {}), history))


def _check_no_mismatch(found: Audit) -> None:
    if found.divergences:
        first = found.divergences[0]
        says = say("record.diverges", position=first.position, kind=first.kind, recorded=first.recorded, recomputed=first.recomputed)
        raise InvalidFormatError("divergent_record", says, f"record.events[{first.position - 1}]")
    if found.unjudged:
        left = found.unjudged[0]
        says = say("record.unjudged", first=left.first, last=left.last, reason=left.reason)
        raise InvalidFormatError("unjudged_record", says, f"record.events[{left.first - 1}]")


def _id(read: dict[str, Any]) -> UUID:
    try:
        return UUID(read["id"])
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InvalidFormatError("malformed_record", say("record.id"), "record.id") from error
