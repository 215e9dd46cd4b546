"""Export of the portable record (COM-60): the moves of a game, or every event of it, with the free texts.

A record shows all cards: the caller has to check who may have it.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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


def export(
    name: str, history: Sequence[Recorded], language: str = FALLBACK, beside: Mapping[str, Any] = NOTHING, words: Words = drop_words
) -> dict[str, Any]:
    """Return the simple record: the moves that stand, from the whole history of a game; a note names what moves alone cannot hold.

    ``beside``, here and elsewhere: the data of the register of origins about the game. ``words`` finds the words of a person by the
    reference in an event: they are part of the record. Raises ``DataIntegrityError`` if the opening cannot be read.
    """
    game = _standing(history)
    record = _moves(name, game, history, beside, words)
    left_out = _left_out(game, history, record["hands"], language)
    return {**record, "note": left_out} if left_out else record


def _standing(history: Sequence[Recorded]) -> Game:
    game = project(None, history)
    if game is None:
        raise ValueError("a record needs a history")
    return game


def _moves(name: str, game: Game, history: Sequence[Recorded], beside: Mapping[str, Any], words: Words) -> dict[str, Any]:
    setup, players = game.setup, game.opened.players
    record: dict[str, Any] = {"name": name, "ruleset": setup.ruleset, "options": setup.options, "seats": setup.seats}
    if any(player is not None for player in players):
        record["players"] = list(players)
    record |= {**context_of(game.opened, history[0]), **beside}
    standing = [recorded for recorded in history if not game.is_void(recorded.position)]
    hands = hands_of((recorded.event for recorded in standing), words)
    return {**record, "hands": [hand | when for hand, when in zip(hands, times_of(standing), strict=True)]}


def _left_out(game: Game, history: Sequence[Recorded], hands: Sequence[dict[str, Any]], language: str) -> str | None:
    """Return a note of what counts in the game and cannot be expressed in a record: without it the record, played again, gives another
    game.
    """
    standing = Counter(type(recorded.event) for recorded in history if not game.is_void(recorded.position))
    standing[PointsAdjusted] -= sum(len(hand.get("adjustments", ())) for hand in hands)
    counting = +standing
    found = [say(f"beyond.{rule.beyond_moves}") for kind, rule in ACTS.items() if kind in counting and rule.beyond_moves]
    return render(say("beyond", acts=tuple(found)), language) if found else None


def export_full(
    name: str,
    history: Sequence[Recorded],
    texts: Callable[[str], SaltedText | None] | None = None,
    beside: Mapping[str, Any] = NOTHING,
) -> dict[str, Any]:
    """Return the record together with every event as it is stored, void ones included, each as the bytes of its JSON.

    ``texts`` finds the free texts of people by their ids; with it they and their salts are part of the record, except those that were
    erased.
    """
    record = _moves(name, _standing(history), history, beside, drop_words)
    first = history[0]
    assert isinstance(first.event, GameOpened)
    head = {"format": FORMAT, "id": str(first.stream), "edition": first.event.edition}
    full = {**head, **record, "events": [_write_stored(recorded) for recorded in history]}
    return {**full, **texts_of(history, texts)} if texts else full


def hands_of(standing: Iterable[Event], words: Words = drop_words) -> list[dict[str, Any]]:
    hands: list[dict[str, Any]] = []
    for event in standing:
        match event:
            case HandDealt():
                hands.append({"dealer": event.dealer, **_when(event), "deck": list(dealt_deck(event.effects)), "moves": []})
            case HandReported():
                hands.append({"dealer": event.dealer, **_when(event), "result": msgspec.to_builtins(event.result)})
            case PointsAdjusted() if hands:
                reason = words(event.reason) if event.reason else None
                hands[-1].setdefault("adjustments", []).append(as_adjustment(event, len(hands), reason))
            case _ if not hands or "moves" not in hands[-1]:
                pass  # a move before the first deal, or after a report: damaged history
            case MovePlayed():
                _drop_adjustments(hands)
                hands[-1]["moves"].append({"seat": event.seat, "move": event.move} | _get_known_faces(event))
            case IllegalMoveAccepted():
                _drop_adjustments(hands)
                hands[-1]["moves"].append({"seat": event.seat, "move": event.move} | as_accepted_move(event))
            case CardsTold():
                hands[-1]["moves"].append(_get_known_faces(event))
            case _:
                pass
    return hands


def _drop_adjustments(hands: list[dict[str, Any]]) -> None:
    """Drop points that were given or taken while the hand was played: a record cannot say between which moves, and the end may depend on
    it.
    """
    hands[-1].pop("adjustments", None)


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
