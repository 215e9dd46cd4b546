"""Export of the portable record (COM-60): the moves of a game, or every event of it, with the free texts.

A record shows all cards: the caller has to check who may have it. It is written piece by piece, so that a long game needs little memory.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice, tee
from typing import Any, TypeAlias

import msgspec
from msgspec import UNSET

from domain.effects import dealt_deck
from domain.errors import InvalidFormatError
from domain.events import Event, Recorded
from domain.events.base import TextRef, Unreadable, text_ref_of
from domain.events.game import ACTS, CardsTold, GameOpened, HandDealt, HandReported, IllegalMoveAccepted, MovePlayed, PointsAdjusted
from domain.free_texts import SALT, SaltedText, text_matches
from domain.game import Game, project
from domain.texts import FALLBACK, render, say
from replay.external_context import as_accepted_move, as_adjustment, context_of, drop_words, times_of

FORMAT = "kiebitz-record/1"
"""The ``format`` of a full record."""

Words: TypeAlias = Callable[[TextRef], str | None]
NOTHING: Mapping[str, Any] = {}
PAGE = 2_000
"""Events that are in memory at a time."""


Parts: TypeAlias = Iterator[tuple[str, Any]]
"""The keys of a record with their values, in order. A value that is an iterator is a list: its items are there one after another."""


class HistoryPages(Iterable[Recorded]):
    """The events of a game, at most ``limit``, read page by page each time that they are gone through; the first page is read once."""

    def __init__(self, read: Callable[[int, int], Sequence[Recorded]], limit: int | None = None) -> None:
        self._read = read
        self._limit = limit
        self._first = read(0, PAGE)

    def __iter__(self) -> Iterator[Recorded]:
        return islice(self._all(), self._limit)

    def _all(self) -> Iterator[Recorded]:
        page = self._first
        yield from page
        while len(page) == PAGE:
            page = self._read(page[-1].position, PAGE)
            yield from page


def export(
    name: str, history: Iterable[Recorded], language: str = FALLBACK, beside: Mapping[str, Any] = NOTHING, words: Words = drop_words
) -> dict[str, Any]:
    """Return the simple record that ``write_record`` writes."""
    parts = _simple_parts(name, history, language, beside, words)
    return {key: list(value) if isinstance(value, Iterator) else value for key, value in parts}


def write_record(
    name: str, history: Iterable[Recorded], language: str = FALLBACK, beside: Mapping[str, Any] = NOTHING, words: Words = drop_words
) -> Iterator[bytes]:
    """Yield the simple record: the moves that stand, from the whole history of a game; a note names what moves alone cannot hold.

    ``history`` is gone through several times. ``beside``, here and elsewhere: the data of the register of origins about the game.
    ``words`` finds the words of a person by the reference in an event: they are part of the record. Raises ``DataIntegrityError`` if the
    opening cannot be read.
    """
    return _write_json(_simple_parts(name, history, language, beside, words))


def write_full_record(
    name: str,
    history: Iterable[Recorded],
    texts: Callable[[str], SaltedText | None] | None = None,
    beside: Mapping[str, Any] = NOTHING,
) -> Iterator[bytes]:
    """Yield the record together with every event as it is stored, void ones included, each as the bytes of its JSON.

    ``texts`` finds the free texts of people by their ids; with it they and their salts are part of the record, except those that were
    erased.
    """
    return _write_json(_full_parts(name, history, texts, beside))


def _write_json(parts: Parts) -> Iterator[bytes]:
    between = b"{"
    for key, value in parts:
        yield between + msgspec.json.encode(key) + b":"
        if isinstance(value, Iterator):
            opening = b"["
            for item in value:
                yield opening + msgspec.json.encode(item)
                opening = b","
            yield b"]" if opening == b"," else b"[]"
        else:
            yield msgspec.json.encode(value)
        between = b","
    yield b"}"


def _simple_parts(name: str, history: Iterable[Recorded], language: str, beside: Mapping[str, Any], words: Words) -> Parts:
    game, left_out = _standing(history), Counter[type]()

    def count_events() -> Iterator[Recorded]:
        for recorded in history:
            if not game.is_void(recorded.position):
                left_out[type(recorded.event)] += 1
                yield recorded

    def count_hands() -> Iterator[dict[str, Any]]:
        for hand in _hands_with_times(count_events(), words):
            left_out[PointsAdjusted] -= len(hand.get("adjustments", ()))
            yield hand

    yield from _head(name, game, history, beside)
    yield "hands", count_hands()
    if note := _note_left_out(+left_out, language):
        yield "note", note


def _full_parts(
    name: str, history: Iterable[Recorded], texts: Callable[[str], SaltedText | None] | None, beside: Mapping[str, Any]
) -> Parts:
    game = _standing(history)
    first = next(iter(history))
    assert isinstance(first.event, GameOpened)
    yield from (("format", FORMAT), ("id", str(first.stream)), ("edition", first.event.edition))
    yield from _head(name, game, history, beside)
    yield "hands", _hands_with_times((recorded for recorded in history if not game.is_void(recorded.position)), drop_words)
    yield "events", (_write_stored(recorded) for recorded in history)
    if texts:
        yield from texts_of(history, texts).items()


def _standing(history: Iterable[Recorded]) -> Game:
    game = project(None, history)
    if game is None:
        raise ValueError("a record needs a history")
    return game


def _head(name: str, game: Game, history: Iterable[Recorded], beside: Mapping[str, Any]) -> Parts:
    setup, players = game.setup, game.opened.players
    yield from (("name", name), ("ruleset", setup.ruleset), ("options", setup.options), ("seats", setup.seats))
    if any(player is not None for player in players):
        yield "players", list(players)
    yield from {**context_of(game.opened, next(iter(history))), **beside}.items()


def _note_left_out(counting: Mapping[type, int], language: str) -> str | None:
    """Return a note of what counts in the game and cannot be expressed in a record: without it the record, played again, gives another
    game.
    """
    found = [say(f"beyond.{rule.beyond_moves}") for kind, rule in ACTS.items() if kind in counting and rule.beyond_moves]
    return render(say("beyond", acts=tuple(found)), language) if found else None


def _hands_with_times(standing: Iterator[Recorded], words: Words) -> Iterator[dict[str, Any]]:
    for_hands, for_times = tee(standing)
    hands = hands_of((recorded.event for recorded in for_hands), words)
    return (hand | when for hand, when in zip(hands, times_of(for_times), strict=True))


def hands_of(standing: Iterable[Event], words: Words = drop_words) -> Iterator[dict[str, Any]]:
    """Yield each hand of the record when the next one begins."""
    number, hand = 0, dict[str, Any]()
    for event in standing:
        match event:
            case HandDealt() | HandReported():
                if hand:
                    yield hand
                number, hand = number + 1, _begin_hand(event)
            case PointsAdjusted() if hand:
                reason = words(event.reason) if event.reason else None
                hand.setdefault("adjustments", []).append(as_adjustment(event, number, reason))
            case MovePlayed() | IllegalMoveAccepted() | CardsTold() if "moves" in hand:  # else damaged: before a deal, or after a report
                _add_move(hand, event)
            case _:
                pass
    if hand:
        yield hand


def _begin_hand(event: HandDealt | HandReported) -> dict[str, Any]:
    begun = {"dealer": event.dealer, **_when(event)}
    if isinstance(event, HandReported):
        return begun | {"result": msgspec.to_builtins(event.result)}
    return {**begun, "deck": list(dealt_deck(event.effects)), "moves": []}


def _add_move(hand: dict[str, Any], event: MovePlayed | IllegalMoveAccepted | CardsTold) -> None:
    if isinstance(event, CardsTold):
        hand["moves"].append(_get_known_faces(event))
        return
    # Drop points that were given or taken while the hand was played: a record cannot say between which moves, and the end may depend on it.
    hand.pop("adjustments", None)
    more = as_accepted_move(event) if isinstance(event, IllegalMoveAccepted) else _get_known_faces(event)
    hand["moves"].append({"seat": event.seat, "move": event.move} | more)


def _when(event: HandDealt | HandReported) -> dict[str, str]:
    return {} if event.played_at is UNSET else {"played_at": event.played_at}


def _get_known_faces(event: MovePlayed | CardsTold) -> dict[str, Any]:
    """Return the cards that were told with the event, or by it alone."""
    told = {name: getattr(event, name, UNSET) for name in ("known", "lacks", "worth")}
    return {name: zones for name, zones in told.items() if zones is not UNSET}


def _write_stored(recorded: Recorded) -> msgspec.Raw:
    """Return the stored JSON object as it is, with its place. It holds the stored bytes, on which the links rest."""
    place = {"position": recorded.position, "name": recorded.name}
    if isinstance(recorded.event, Unreadable):
        return msgspec.Raw(msgspec.json.encode({**place, "unreadable": recorded.state.decode(errors="replace")}))
    return msgspec.Raw(msgspec.json.encode(place)[:-1] + b"," + recorded.state[1:])


# Free texts of people in a full record: claims, reasons and notes that events refer to, by the id of the text.
#
# They are kept in the register of texts, where they can be erased; an event holds id and digest only. Their salts go along, because without
# them a text could not be checked against its digest; an older text has no salt.


def texts_of(history: Iterable[Recorded], read: Callable[[str], SaltedText | None]) -> dict[str, dict[str, str]]:
    """Return ``texts``, and ``salts`` in hexadecimal if there are any, in the order in which they were said; erased ones are left out.

    ``read`` finds a text by its id.
    """
    said = {ref.id: read(ref.id) for recorded in history if (ref := text_ref_of(recorded.event))}
    texts = {id: text.body for id, text in said.items() if text}
    salts = {id: text.salt.hex() for id, text in said.items() if text and text.salt is not None}
    return {"texts": texts, "salts": salts} if salts else {"texts": texts}


def check_texts(texts: object, salts: object, history: Sequence[Recorded]) -> Mapping[str, SaltedText]:
    """Return the texts of a full record. Raises ``InvalidFormatError`` if one is not the text that an event of the history refers to."""
    if not isinstance(texts, dict):
        raise InvalidFormatError("malformed_record", say("record.texts"), "record.texts")
    if not isinstance(salts, dict):
        raise InvalidFormatError("malformed_record", say("record.salts"), "record.salts")
    given = dict(_pair_with_salts(texts, salts))
    said = {ref.id: ref.digest for recorded in history if (ref := text_ref_of(recorded.event))}
    for id, text in given.items():
        if not text_matches(said.get(id, ""), text):
            raise InvalidFormatError("malformed_record", say("record.text_unknown"), f"record.texts.{id}")
    return given


def _pair_with_salts(texts: dict[str, Any], salts: dict[str, Any]) -> Iterator[tuple[str, SaltedText]]:
    if alone := salts.keys() - texts.keys():
        raise InvalidFormatError("malformed_record", say("record.salt_alone"), f"record.salts.{min(alone)}")
    for id, body in texts.items():
        if not isinstance(body, str):
            raise InvalidFormatError("malformed_record", say("record.text"), f"record.texts.{id}")
        yield id, SaltedText(body, _salt(id, salts[id]) if id in salts else None)


def _salt(id: str, given: object) -> bytes:
    try:
        salt = bytes.fromhex(given) if isinstance(given, str) else b""
    except ValueError:
        salt = b""
    if len(salt) != SALT or salt.hex() != given:
        raise InvalidFormatError("malformed_record", say("record.salt", size=SALT), f"record.salts.{id}")
    return salt
