"""Events to stored bytes and back."""

import json
from datetime import UTC, datetime, timedelta, timezone
from typing import Any, get_args
from uuid import UUID

import msgspec
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET

from domain import codec
from domain.effects import HandOpened
from domain.events import NAMES, UPCASTS, Event, Stamp, digest, upgrade_event
from domain.events.base import TextRef, Unreadable
from domain.events.game import Act, GameOpened, HandDealt, MovePlayed, RefusedMove, RewindRecorded
from domain.table import Table, fold
from tests.each import each
from tests.strategies import SETUP, any_tables, histories, plains

GAME = UUID(int=7)
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
STAMP = Stamp(NOON, "principal")

texts = st.text(st.characters(codec="utf-8"), max_size=8)
references = st.builds(TextRef, texts, texts)
small = st.integers(0, 9)
perhaps = st.none() | small
_FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "seat": small,
    "move": plains(),
    "code": texts,
    "rules": st.lists(texts, max_size=3).map(tuple),
    "effects": histories,
    "ruling": small,
    "dispute": small,
    "number": small,
    "hand": perhaps,
    "party": small,
    "points": st.integers(-99, 99),
    "places": st.none() | st.lists(perhaps, max_size=3).map(tuple),
    "position": small,
    "suspends": st.booleans(),
    "counts": st.booleans(),
    "further": st.just(UNSET) | st.booleans(),
    "reopened": st.just(UNSET) | st.booleans(),
    "imported": st.just(UNSET) | st.booleans(),
    "instance": st.sampled_from(["arbiter", "committee"]),
    "decision": st.sampled_from(["stands", "rewind", "rectify", "adjust", "penalty", "annul", "overturn"]),
    "deadline": st.none() | st.datetimes(timezones=st.just(UTC)),
    "player": st.none() | texts,
    "players": st.lists(st.none() | texts, max_size=4).map(tuple),
    "from_hand": small,
    "lifted": small,
    "digest": texts,
    "restored": st.none() | st.builds(fold, any_tables(), histories),
}

_FIELDS["refused_move"] = st.just(UNSET) | st.builds(RefusedMove, *(_FIELDS[name] for name in ("seat", "move", "code", "rules")))


def of(field: msgspec.structs.FieldInfo) -> st.SearchStrategy[Any]:
    """Any value of a field of an act."""
    return st.none() | references if TextRef in get_args(field.type) else _FIELDS[field.name]


events: st.SearchStrategy[Event] = st.one_of(
    st.builds(
        GameOpened,
        st.just(SETUP),
        st.integers(1, 9),
        st.lists(st.none() | texts).map(tuple),
        st.sampled_from(["hand_over", "game_over", "never"]),
        st.none() | texts,
        st.none() | st.integers(0, 9),
        st.none() | texts,
        st.just(UNSET) | texts,
    ),
    st.builds(
        HandDealt,
        st.integers(0, 3),
        st.integers(1, 9),
        st.sampled_from(["recorded", "shuffled"]),
        histories,
        st.just(UNSET) | st.integers(1, 9),
        st.just(UNSET) | texts,
    ),
    st.builds(MovePlayed, st.integers(0, 3), plains(), histories),
    st.builds(
        RewindRecorded, st.integers(1, 99), st.none() | references, st.none() | st.integers(1, 9), st.builds(fold, any_tables(), histories)
    ),
    *(st.builds(kind, *(of(field) for field in msgspec.structs.fields(kind))) for kind in get_args(Act)),
)
zones = st.sampled_from([UTC, timezone(timedelta(hours=2)), timezone(timedelta(hours=-9, minutes=-30))])
instants = st.datetimes(timezones=zones).filter(lambda instant: 1900 < instant.year < 9000)
stamps = st.builds(Stamp, instants, texts, st.none() | instants)


@given(st.integers(1, 10**6), st.none() | texts, stamps, events)
def test_what_is_read_equals_what_was_recorded(position: int, link: str | None, stamp: Stamp, event: Event):
    recorded = codec.encode_event(GAME, position, link, stamp, event)
    read = codec.decode_event(GAME, position, recorded.name, recorded.state)
    assert read == recorded
    assert codec.encode_event(GAME, position, link, read.stamp, read.event).state == recorded.state  # True and 1 told apart


def test_a_move_is_stored_like_this_for_ever():
    recorded = codec.encode_event(GAME, 2, "ab12", STAMP, MovePlayed(1, {"type": "trail", "card": "7D"}, (HandOpened(1, 0),)))
    assert recorded.name == "move.played/1"
    assert recorded.state.decode() == (
        '{"at":"2026-01-01T12:00:00Z","by":"principal","link":"ab12",'
        '"body":{"seat":1,"move":{"type":"trail","card":"7D"},"effects":[["hand",1,0]]}}'
    )


def test_when_it_happened_is_stored_only_if_it_was_told():
    told = codec.encode_event(GAME, 1, None, Stamp(NOON, "p", NOON - timedelta(hours=1)), MovePlayed(0, {}, ()))
    assert json.loads(told.state)["happened_at"] == "2026-01-01T11:00:00Z"


def test_a_link_is_the_digest_of_the_bytes_before():
    assert digest(b"") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


def test_every_event_that_can_be_recorded_has_a_name_of_its_own():
    assert set(NAMES) | {Unreadable} == set(get_args(Event))
    assert len(set(NAMES.values())) == len(NAMES)


# What cannot be read

MOVE: dict[str, Any] = {"at": "2026-01-01T12:00:00Z", "by": "p", "link": None, "body": {"seat": 1, "move": {}, "effects": []}}


def read(stored: object, name: str = "move.played/1") -> Event:
    state = stored if isinstance(stored, bytes) else json.dumps(stored).encode()
    return codec.decode_event(GAME, 1, name, state).event


def test_the_pattern_of_these_tests_can_be_read():
    assert read(MOVE) == MovePlayed(1, {}, ())


DAMAGED: dict[str, object] = {
    "nothing": b"",
    "no JSON": b"{",
    "no UTF-8": b'{"by":"\xff"}',
    "half a surrogate pair": json.dumps({**MOVE, "by": "\ud800"}).encode(),
    "another JSON value": [],
    "endless JSON": b"[" * 100_000,
    "no body": {key: value for key, value in MOVE.items() if key != "body"},
    "an unknown field": {**MOVE, "unknown": 1},
    "an unknown field in the body": {**MOVE, "body": {**MOVE["body"], "unknown": 1}},
    "a seat that is text": {**MOVE, "body": {**MOVE["body"], "seat": "1"}},
    "a seat that is true": {**MOVE, "body": {**MOVE["body"], "seat": True}},
    "a seat that is a fraction": {**MOVE, "body": {**MOVE["body"], "seat": 1.0}},
    "a move seven levels deep": {**MOVE, "body": {**MOVE["body"], "move": [[[[[[[1]]]]]]]}},
    "an effect of no vocabulary": {**MOVE, "body": {**MOVE["body"], "effects": [["vanished", "7D"]]}},
    "no time": {**MOVE, "at": "yesterday"},
}


@each("stored", DAMAGED.values(), ids=DAMAGED)
def test_bytes_that_cannot_be_read_become_unreadable_in_their_place(stored: object):
    assert isinstance(read(stored), Unreadable)


def test_what_cannot_be_read_keeps_its_place_its_name_and_its_bytes():
    damaged = codec.decode_event(GAME, 5, "move.played/1", b"damaged")
    assert (damaged.stream, damaged.position, damaged.name, damaged.state) == (GAME, 5, "move.played/1", b"damaged")


def test_a_name_that_nobody_knows_is_unreadable():
    assert read(MOVE, "move.undone/1") == Unreadable("move.undone/1", "no event of this name is known")


@each("place", ["zones", "score", "marks"])
def test_a_damaged_restored_table_is_unreadable(place: str):
    stored = json.loads(codec.encode_event(GAME, 3, None, STAMP, RewindRecorded(1, None, None, Table(SETUP))).state)
    stored["body"]["restored"][place] = {"unheard of": [[[[[[[1]]]]]]]}
    assert isinstance(read(stored, "game.rewound/1"), Unreadable)


@given(st.sampled_from(sorted(NAMES.values())), st.binary(max_size=40))
def test_no_bytes_stop_a_reader(name: str, state: bytes):
    assert isinstance(codec.decode_event(GAME, 1, name, state).event, Unreadable)


@given(events, st.data())
def test_no_damage_to_stored_bytes_stops_a_reader(event: Event, data: st.DataObject):
    recorded = codec.encode_event(GAME, 1, None, STAMP, event)
    cut = data.draw(st.integers(0, len(recorded.state) - 1))
    damaged = recorded.state[:cut] + data.draw(st.binary(max_size=3)) + recorded.state[cut + 1 :]
    assert codec.decode_event(GAME, 1, recorded.name, damaged).state == damaged


# Older versions

OLDER = {
    "move.played/0": ("move.played/0.5", lambda body: {**body, "seat": body["player"]}),
    "move.played/0.5": ("move.played/1", lambda body: {key: value for key, value in body.items() if key != "player"}),
}


def older(body: dict[str, Any], name: str = "move.played/0") -> Event:
    return codec.decode_event(GAME, 1, name, json.dumps({**MOVE, "body": body}).encode(), OLDER).event


def test_an_older_version_is_read_through_all_its_upcasts():
    assert older({"player": 1, "move": {"type": "draw"}, "effects": [["hand", 1, 0]]}) == MovePlayed(
        1, {"type": "draw"}, (HandOpened(1, 0),)
    )


def test_an_older_version_keeps_the_name_and_bytes_it_was_stored_with():
    state = json.dumps({**MOVE, "body": {"player": 1, "move": {}, "effects": []}}).encode()
    recorded = codec.decode_event(GAME, 1, "move.played/0", state, OLDER)
    assert (recorded.name, recorded.state, recorded.stamp) == ("move.played/0", state, Stamp(NOON, "p"))


@each(
    "body",
    [{}, {"player": 1}, {"player": "1", "move": {}, "effects": []}, {"player": 1.0, "move": {}, "effects": []}],
)
def test_an_upcast_that_meets_a_damaged_body_makes_it_unreadable(body: dict[str, Any]):
    assert isinstance(older(body), Unreadable)


def test_a_chain_that_ends_in_an_unknown_name_is_unreadable():
    chain = {"move.played/0": ("move.undone/1", lambda body: body)}
    assert isinstance(codec.decode_event(GAME, 1, "move.played/0", json.dumps(MOVE).encode(), chain).event, Unreadable)


def test_every_upcast_of_this_program_ends_in_an_event_that_it_knows():
    names = set(NAMES.values())
    for name in UPCASTS:
        while name in UPCASTS:
            assert name not in names, "the newest version has no upcast"
            name = UPCASTS[name][0]
        assert name in names


def test_an_event_of_the_newest_version_is_left_as_it_is():
    assert upgrade_event("move.played/1", {"seat": 1}, OLDER) == ("move.played/1", {"seat": 1})
