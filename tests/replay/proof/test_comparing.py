"""A view that was told during the game, held against the record that opens later: one record, and told what it has."""

from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
from msgspec import UNSET
from msgspec.structs import replace

from domain import codec
from domain.events import Recorded
from domain.events.game import HandDealt
from domain.games import RULESETS
from domain.sight import Who
from replay.proof import single_file
from replay.proof.making import ProofFile
from tests.replay.proof.made import Log, lies, played, record, verified, view
from tests.replay.proof.places import KEYS, LOG, TOLD


def proven(file: ProofFile) -> dict[str, Any]:
    return verified(file.as_bytes(), KEYS[:2])


def same(early: dict[str, Any], late: dict[str, Any]) -> bool:
    return bool(single_file.same_record(early["file"], late["file"]))


@pytest.mark.parametrize("ruleset", RULESETS)
def test_what_every_seat_and_the_public_were_told_at_any_time_is_what_the_record_has(ruleset: str):
    game, log = played(ruleset), Log()
    half = log.add(*game.history[:30])
    whos: list[Who] = [*range(game.game.setup.seats), "public"]
    early = [proven(view(log, game, who, half, 30)) for who in whos]
    late = log.add(*game.history[30:])
    later = [proven(view(log, game, who, late)) for who in whos]
    opened = proven(record(log, game.history, late))
    assert [same(told, opened) for told in (*early, *later)] == [True] * (2 * len(whos))
    assert [lies(told, game.history) for told in (*early, *later)] == [[]] * (2 * len(whos))


def test_a_view_that_lied_is_named_with_what_it_should_have_told():
    game, log = played("casino"), Log()
    leaf = log.add(*game.history)
    honest = view(log, game, "public", leaf)
    position = next(recorded.position for recorded in game.history if isinstance(recorded.event, HandDealt))
    lie = replace(honest.events[position - 1], bytes=honest.events[position - 1].bytes.replace('"?"', '"AS"', 1))
    events = (*honest.events[: position - 1], lie, *honest.events[position:])
    told = proven(replace(honest, events=events).add_receipt(LOG.key.name, TOLD, bytes(16)))
    [found] = lies(told, game.history)
    assert (found.position, found.told, found.due) == (position, lie.bytes, honest.events[position - 1].bytes)


def rewritten(history: Sequence[Recorded], position: int) -> list[Recorded]:
    """The same game with another principal at one event, and every link made anew."""
    stamps = [recorded.stamp for recorded in history]
    stamps[position - 1] = replace(stamps[position - 1], by="p_somebody_else")
    made: list[Recorded] = []
    for recorded, stamp in zip(history, stamps, strict=True):
        made += codec.link_events(recorded.stream, len(made), made[-1].state if made else None, stamp, [recorded.event])
    return made


def test_a_rewritten_record_is_not_the_one_that_stood():
    game, log, other = played("casino"), Log(), Log()
    told = proven(view(log, game, 0, log.add(*game.history[:20]), 20))
    history = rewritten(game.history, 12)
    assert not same(told, proven(record(other, history, other.add(*history))))


def test_a_record_that_ends_or_begins_elsewhere_is_not_all_that_the_view_is_of():
    game, log = played("casino"), Log()
    half = log.add(*game.history[:20])
    short = proven(record(log, game.history[:20], half))
    leaf = log.add(*game.history[20:])
    told, late = proven(view(log, game, 0, leaf)), record(log, game.history, leaf)
    tail = replace(late, first=2, prev=single_file.b64(log.mark_at(0)), events=late.events[1:])
    assert [same(told, one) for one in (proven(late), short, proven(tail))] == [True, False, False]


def test_files_of_one_game_are_paired():
    game, log = played("casino"), Log()
    half = log.add(*game.history[:20])
    early = proven(view(log, game, 0, half, 20))
    leaf = log.add(*game.history[20:])
    elsewhere = {**early, "stream": "5c0c8f1e-0000-4000-8000-000000000001"}
    given = [("late", proven(view(log, game, 1, leaf))), ("whole", proven(record(log, game.history, leaf))), ("early", early)]
    pairs = single_file.pairs([(name, found["file"], found) for name, found in [*given, ("elsewhere", elsewhere)]])
    assert [(one[0], other[0]) for one, other in pairs] == [("early", "whole"), ("late", "whole"), ("early", "late")]


def test_nothing_that_refers_to_words_is_opened_to_viewers():
    game, log = played("casino", 120), Log()
    leaf = log.add(*game.history)
    shown = [event for event in view(log, game, "public", leaf).events if event.salt is not UNSET]
    stored = [msgspec.json.decode(event.bytes) for event in shown]
    assert not any('"digest"' in event.bytes for event in shown)
    assert all("link" in event for event in stored)
