"""The portable record on its way in, and played."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain.cards import FRENCH_DECK
from domain.errors import InvalidFormatError
from domain.events import Event
from domain.events.game import GameOpened, HandDealt, MovePlayed
from domain.games import RULESETS
from replay.export import FORMAT, export, write_full_record
from replay.record import Record, Refusal, events_of, parse
from tests.each import each
from tests.projections.histories import History

CASES = [msgspec.json.decode(path.read_bytes()) for path in sorted((Path(__file__).parent.parent / "cases").glob("*/*.json"))]
MOVE = {"seat": 0, "move": {"type": "trail", "card": "7D"}}


def named(case: dict[str, Any]) -> str:
    return f"{case['ruleset']}: {case['name']}"


def a_record(**changes: object) -> dict[str, Any]:
    hand = {"dealer": 1, "deck": ["7D"], "fill": "sorted", "moves": [MOVE]}
    return {"name": "n", "ruleset": "casino", "options": {}, "seats": 2, "hands": [hand]} | changes


def recorded(*events: Event) -> History:
    return History(1, *events)


def decoded(record: dict[str, Any] | Iterable[bytes]) -> dict[str, Any]:
    """As it is after a journey as JSON."""
    value: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(record) if isinstance(record, dict) else b"".join(record))
    return value


def test_a_record_becomes_the_events_of_a_game():
    first, deal, move = events_of(parse(a_record(players=["anna", None])), RULESETS)
    assert isinstance(first, GameOpened)
    assert isinstance(deal, HandDealt)
    assert isinstance(move, MovePlayed)
    assert (first.setup.seats, first.players, first.openness) == (2, ("anna", None), "game_over")
    assert (deal.dealer, deal.how) == (1, "recorded")
    assert (move.seat, move.move) == (0, MOVE["move"])
    assert export("n", recorded(first, deal, move).events)["hands"][0]["deck"] == ["7D", *(card for card in FRENCH_DECK if card != "7D")]


def test_export_import_and_export_again_give_the_same_record():
    for case in (case for case in CASES if "error" not in case["expect"]):
        events = events_of(parse(case), RULESETS)
        once = export(case["name"], recorded(*events).events)
        again = events_of(parse(msgspec.json.encode(once)), RULESETS)
        assert again == events, named(case)
        assert decoded(export(case["name"], recorded(*again).events)) == decoded(once), named(case)


def test_a_case_is_refused_where_it_says():
    for case in (case for case in CASES if "error" in case["expect"]):
        with pytest.raises(Refusal) as refused:
            events_of(parse(case), RULESETS)
        refusal = refused.value
        assert {"hand": refusal.hand, "index": refusal.index, "code": refusal.code} == case["expect"]["error"], named(case)


@each(
    ("record", "place", "code"),
    [
        (a_record(ruleset="whist"), (-1, -1), "unknown_ruleset"),
        (a_record(seats="2"), (-1, -1), "bad_seats"),
        (a_record(options={"colour": 1}), (-1, -1), "bad_option"),
        (a_record(hands=[{"dealer": 5, "deck": [], "fill": "sorted", "moves": []}]), (0, -1), "bad_dealer"),
        (a_record(hands=[{"dealer": 1, "deck": ["7D"], "moves": []}]), (0, -1), "bad_deck"),
        (a_record(hands=[{"dealer": 1, "deck": None, "fill": "sorted", "moves": []}]), (0, -1), "bad_deck"),
        (a_record(hands=a_record()["hands"] * 2), (1, -1), "hand_in_progress"),
        (a_record(hands=[{**a_record()["hands"][0], "moves": [MOVE, MOVE]}]), (0, 1), "not_your_turn"),
        (
            a_record(hands=[{**a_record()["hands"][0], "moves": [{"seat": 0, "move": {"type": "trail", "card": 1.5}}]}]),
            (0, 0),
            "malformed_move",
        ),
    ],
)
def test_a_refusal_says_where_in_the_record_it_is(record: dict[str, Any], place: tuple[int, int], code: str):
    with pytest.raises(Refusal) as refused:
        events_of(parse(record), RULESETS)
    refusal = refused.value
    assert ((refusal.hand, refusal.index), refusal.code) == (place, code)
    assert refusal.rules


@pytest.mark.usefixtures("nothing_collected")
@each(
    ("raw", "where"),
    [
        (b"", ""),
        (b"\xff", ""),
        ("\ud800", ""),
        ('{"name": NaN}', ""),
        ("[" * 100_000, ""),
        (b"[]", "record"),
        (a_record(deck=[]), "record"),
        (a_record(seats=2, players=["anna"]), "record.players"),
        (a_record(name=1), "record.name"),
        (a_record(hands={}), "record.hands"),
        (a_record(hands=[{"dealer": 0, "deck": [], "moves": [{"seat": 0}]}]), "record.hands[0].moves[0]"),
        (a_record(events=[]), "record.format"),
        (a_record(events=[], format=FORMAT), "record.events"),
        (a_record(events=7, format=FORMAT), "record.events"),
        (a_record(events=[7], format=FORMAT), "record.events"),
        (a_record(events=[{"name": []}], format=FORMAT), "record.events"),
        (a_record(events=[{"name": "game.opened/1"}], format=FORMAT), "record.events"),
    ],
)
def test_what_is_no_record_is_refused_with_the_place(raw: object, where: str):
    with pytest.raises(InvalidFormatError) as malformed:
        parse(raw)
    assert (malformed.value.code, malformed.value.where) == ("malformed_record", where)


def test_what_a_case_file_says_besides_is_not_read():
    assert parse(a_record(expect={}, rules=[], source="s", note="n")) == parse(a_record())


def test_a_record_in_bytes_in_text_and_decoded_is_the_same():
    encoded = msgspec.json.encode(a_record())
    assert parse(encoded) == parse(encoded.decode()) == parse(a_record())
    assert isinstance(parse(encoded), Record)


def a_full_record() -> dict[str, Any]:
    history = History(1, *events_of(parse(a_record(players=["anna", None])), RULESETS)).rewind(2)
    return decoded(write_full_record("n", history.events))


def test_a_full_record_is_a_record():
    full = a_full_record()
    simple = {key: value for key, value in full.items() if key not in ("format", "id", "edition", "events")}
    assert parse(full) == parse(simple)


def change_move(full: dict[str, Any]) -> None:
    full["hands"][0]["moves"] = [MOVE]


def change_deck(full: dict[str, Any]) -> None:
    full["hands"][0]["deck"].reverse()


def drop_rewind(full: dict[str, Any]) -> None:
    del full["events"][-1]


def change_players(full: dict[str, Any]) -> None:
    full["players"] = [None, "anna"]


@each("change", [change_move, change_deck, drop_rewind, change_players], ids=lambda change: change.__name__)
def test_a_full_record_whose_events_tell_otherwise_is_refused(change: Callable[[dict[str, Any]], None]):
    full = a_full_record()
    change(full)
    with pytest.raises(InvalidFormatError, match="The events tell otherwise"):
        parse(full)
