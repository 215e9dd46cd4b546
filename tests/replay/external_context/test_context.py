"""When and where a game was played: from a record into its events, and out again."""

from collections.abc import Mapping
from typing import Any

import msgspec
import pytest

from domain.errors import InvalidFormatError
from domain.events.game import GameOpened, HandDealt
from domain.games import RULESETS
from replay.content import content_digest
from replay.export import export
from replay.record import events_of, history_of, parse
from tests.each import each
from tests.replay.test_record import a_record

CONTEXT = {"played_at": "1998-03-07", "tournament": "spring-98", "round": 3, "table": "B", "openness": "hand_over"}
HAND = a_record()["hands"][0]


def exported(record: Mapping[str, Any]) -> dict[str, Any]:
    told: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(export(record["name"], history_of(record, RULESETS))))
    return told


def digest(**changes: object) -> str:
    return content_digest(events_of(parse(a_record(**changes)), RULESETS), RULESETS["casino"])


def test_what_a_record_says_becomes_that_of_its_game():  # COM-66
    opened, dealt, _ = events_of(parse(a_record(**CONTEXT, hands=[{**HAND, "played_at": "1998-03-07T21:15:00+01:00"}])), RULESETS)
    assert isinstance(opened, GameOpened)
    assert isinstance(dealt, HandDealt)
    assert (opened.played_at, opened.tournament, opened.round, opened.table, opened.openness) == tuple(CONTEXT.values())
    assert dealt.played_at == "1998-03-07T21:15:00+01:00"


def test_export_import_and_export_again_say_the_same_of_time_and_place():
    once = exported(a_record(**CONTEXT, hands=[{**HAND, "played_at": "1998-03-08"}]))
    assert {key: once[key] for key in CONTEXT} == CONTEXT
    assert once["hands"][0]["played_at"] == "1998-03-08"
    assert exported(once) == once


def test_of_what_a_record_does_not_say_the_export_says_nothing():
    told = exported(a_record())
    assert (CONTEXT.keys() & told.keys(), told["hands"][0].keys()) == (set(), {"dealer", "deck", "moves"})


def test_equal_games_of_two_evenings_rounds_or_tables_are_two_games():
    told = [digest(**{key: value}) for key, value in CONTEXT.items()]
    told += [digest(), digest(played_at="1998-03-14"), digest(hands=[{**HAND, "played_at": "1998-03-07"}])]
    assert len(set(told)) == len(told)


def test_an_openness_that_is_the_default_makes_no_other_game():
    assert digest(openness="game_over", live=True) == digest()


def test_a_moment_in_whatever_offset_is_the_same_and_being_live_is_content():
    noon = [digest(openness={"at": moment}) for moment in ("2026-11-22T12:00:00Z", "2026-11-22T13:00:00+01:00")]
    assert noon[0] == noon[1]
    assert len({digest(), noon[0], digest(live=False), digest(openness={"at": "2026-11-22T12:00:01Z"})}) == 4


@each(
    ("said", "where"),
    [
        ({"played_at": "7 March 1998"}, "record.played_at"),
        ({"played_at": "1998-02-30"}, "record.played_at"),
        ({"played_at": "1998-03-07T21:15:00"}, "record.played_at"),
        ({"played_at": "0198-03-07"}, "record.played_at"),
        ({"played_at": 1998}, "record.played_at"),
        ({"played_at": None}, "record.played_at"),
        ({"tournament": "a/b"}, "record.tournament"),
        ({"tournament": None}, "record.tournament"),
        ({"table": ""}, "record.table"),
        ({"round": 0}, "record.round"),
        ({"round": True}, "record.round"),
        ({"round": 2**31}, "record.round"),
        ({"openness": "always"}, "record.openness"),
        ({"openness": []}, "record.openness"),
        ({"openness": {"at": "2026-11-22T18:00:00"}}, "record.openness"),
        ({"openness": {"at": "2026-11-22T18:00:00Z", "or": 1}}, "record.openness"),
        ({"openness": "round_over", "tournament": "spring"}, "record.openness"),
        ({"openness": "tournament_over", "round": 1}, "record.openness"),
        ({"live": "no"}, "record.live"),
        ({"live": 0}, "record.live"),
        ({"hands": [{**HAND, "played_at": "yesterday"}]}, "record.hands[0].played_at"),
    ],
)
def test_what_is_no_time_or_place_is_refused_with_its_place(said: dict[str, Any], where: str):
    with pytest.raises(InvalidFormatError) as malformed:
        parse(a_record(**said))
    assert (malformed.value.code, malformed.value.where) == ("malformed_record", where)
