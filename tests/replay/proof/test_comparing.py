"""A view that was told during the game, held against the record that opens later."""

from collections.abc import Sequence

import msgspec
import pytest
from msgspec import UNSET
from msgspec.structs import replace

from domain import codec
from domain.events import Recorded
from domain.events.game import HandDealt
from domain.games import RULESETS
from domain.sight import Who
from replay.proof.comparing import compare, history_of
from replay.proof.exact import Unproven
from replay.proof.files import ProofFile
from replay.proof.verifying import Proven, verify_proof
from tests.replay.proof.made import Log, played, record, view
from tests.replay.proof.places import KEYS, LOG, TOLD

BOTH = KEYS[:2]


def proven(file: ProofFile) -> Proven:
    return verify_proof(file.as_bytes(), BOTH)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_what_every_seat_and_the_public_were_told_at_any_time_is_what_the_record_has(ruleset: str):
    game, log = played(ruleset), Log()
    half = log.add(*game.history[:30])
    whos: list[Who] = [*range(game.game.setup.seats), "public"]
    early = [proven(view(log, game, who, half, 30)) for who in whos]
    late = log.add(*game.history[30:])
    later = [proven(view(log, game, who, late)) for who in whos]
    opened = proven(record(log, game.history, late))
    assert [list(compare(told, opened)) for told in (*early, *later)] == [[]] * (2 * len(whos))
    assert history_of(opened.file) == tuple(game.history)


def test_a_view_that_lied_is_named_with_what_it_should_have_told():
    game, log = played("casino"), Log()
    leaf = log.add(*game.history)
    honest = view(log, game, "public", leaf)
    position = next(recorded.position for recorded in game.history if isinstance(recorded.event, HandDealt))
    lie = replace(honest.events[position - 1], bytes=honest.events[position - 1].bytes.replace('"?"', '"AS"', 1))
    events = (*honest.events[: position - 1], lie, *honest.events[position:])
    told = proven(replace(honest, events=events).receipted(LOG.key.name, TOLD, bytes(16)))
    [found] = compare(told, proven(record(log, game.history, leaf)))
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
    opened = proven(record(other, history, other.add(*history)))
    with pytest.raises(Unproven) as raised:
        compare(told, opened)
    assert (raised.value.fault, raised.value.where) == ("not_the_record", "20")


def test_only_a_view_and_the_whole_record_of_its_game_are_compared():
    game, log = played("casino"), Log()
    leaf = log.add(*game.history)
    told, opened = proven(view(log, game, 0, leaf)), proven(record(log, game.history, leaf))
    for one, other in ((told, told), (opened, opened), (opened, told)):
        with pytest.raises(Unproven) as raised:
            compare(one, other)
        assert raised.value.fault == "not_comparable"


def test_a_view_of_another_edition_is_held_against_the_mark_only():
    game, log = played("casino"), Log()
    leaf = log.add(*game.history)
    told = proven(view(log, game, 0, leaf))
    later = Proven(replace(told.file, edition=2), told.checkpoint, told.mark, told.witnessed)
    with pytest.raises(Unproven) as raised:
        compare(later, proven(record(log, game.history, leaf)))
    assert raised.value.fault == "not_comparable"


def test_nothing_that_refers_to_words_is_opened_to_viewers():
    game, log = played("casino", 120), Log()
    leaf = log.add(*game.history)
    shown = [event for event in view(log, game, "public", leaf).events if event.salt is not UNSET]
    stored = [msgspec.json.decode(event.bytes) for event in shown]
    assert not any('"digest"' in event.bytes for event in shown)
    assert all("link" in event for event in stored)
