"""What a viewer may be told of every event, and of the table after it."""

from datetime import timedelta

import msgspec
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from domain.cards import HIDDEN
from domain.codec import decode_event
from domain.effects import CardsMoved, Known, MarkSet, TurnPassed
from domain.events import Event
from domain.events.base import Unreadable
from domain.events.game import CardsTold, GameAbandoned, HandDealt, MovePlayed, Openness, OpensAt, RewindRecorded
from domain.game import project
from domain.opening import OpennessContext
from domain.sight import ARBITER, PUBLIC, Viewer, Who, masked
from domain.table import Table, Zone, fold
from replay.game_frames import Frame, redacted
from tests.each import each
from tests.projections.histories import (
    NOTHING,
    SETUP,
    START,
    History,
    counted,
    dealt,
    finished,
    frames_of,
    opened,
    played,
    table_at,
    trailed,
)

VIEWERS: tuple[Who, ...] = (0, 1, "public", "arbiter")
OPENNESS: tuple[Openness, ...] = ("hand_over", "game_over", "round_over", "tournament_over", OpensAt(START), "never")

DONE = OpennessContext(round_over=True, tournament_over=True, now=START)
"""All that an openness may wait for has come to pass."""


def test_the_frames_of_a_deal_and_a_move_for_the_public():
    history = History(1, opened(), dealt(), trailed(0, "AS"))
    first, deal, move = frames_of(history.events, "public")
    assert first.event == opened()
    hidden = (HIDDEN,) * 4
    assert isinstance(deal.event, HandDealt)
    assert [effect.cards for effect in deal.event.effects if isinstance(effect, CardsMoved)] == [hidden, hidden, ("6S",)]
    assert deal.table.cards("stock") == (HIDDEN,) * 43
    assert move == Frame(
        position=3,
        name="move.played/1",
        at=START + timedelta(seconds=3),
        by="p_recorder",
        happened_at=None,
        void=False,
        event=trailed(0, "AS"),
        table=masked(table_at(history.events, 3) or Table(SETUP), Viewer("public")),
    )


def test_of_what_was_told_a_viewer_reads_in_the_effects_what_he_sees_and_nothing_else():  # COM-71
    before = Table(SETUP, {"hand:0": Zone("owner", 0, ("?", "?")), "board": Zone("all")})
    named, laid = Known("hand:0", ("AS",)), CardsMoved(("AS",), "hand:0", "board", shown=True)
    move = MovePlayed(0, {"type": "trail", "card": "AS"}, (named, laid), {"hand:0": ("AS",)}, {"hand:1": ("KS",)})
    assert redacted(ARBITER, before, move) == move
    assert redacted(Viewer(0), before, move) == MovePlayed(0, move.move, (named, laid))
    assert redacted(PUBLIC, before, move) == MovePlayed(0, move.move, (laid,))
    told = CardsTold({"hand:0": ("KS",)}, (Known("hand:0", ("KS",)),))
    assert redacted(Viewer(0), before, told) == CardsTold({}, told.effects)
    assert redacted(PUBLIC, before, told) == CardsTold({}, ())


def test_what_a_rewind_took_back_is_marked_void_and_still_told():
    history = History(1, opened(), dealt(), trailed(0, "AS")).rewind(2).add(trailed(0, "KS"))
    frames = frames_of(history.events, "public")
    assert [frame.void for frame in frames] == [False, False, True, False, False]
    assert frames[2].event == trailed(0, "AS")


def test_the_restored_table_of_a_rewind_is_masked_and_its_reason_kept_back():
    history = History(1, opened(), dealt(), trailed(0, "AS")).rewind(2)
    *_, frame = frames_of(history.events, 0)
    assert frame.event == RewindRecorded(2, None, None, masked(table_at(history.events, 2) or Table(SETUP), Viewer(0)))
    whole: object = frames_of(history.events, "arbiter")[-1].event
    assert whole == history.events[-1].event


def face_down(seat: int, card: str) -> MovePlayed:
    """A move whose card nobody else may see."""
    return MovePlayed(
        seat, {"type": "put", "card": card}, (CardsMoved((card,), f"hand:{seat}", "stock"), TurnPassed("play", seat, (seat,)))
    )


@each(
    ("who", "move"),
    [(0, {"type": "put", "card": "AS"}), ("arbiter", {"type": "put", "card": "AS"}), (1, {"type": "put"}), ("public", {"type": "put"})],
)
def test_a_move_that_may_name_a_hidden_card_is_told_by_its_type(who: Who, move: dict):
    *_, frame = frames_of(History(1, opened(), dealt(), face_down(0, "AS")).events, who)
    assert isinstance(frame.event, MovePlayed)
    assert frame.event.move == move


def test_a_move_that_leads_to_hidden_cards_being_dealt_is_told_whole():
    move = played(0, CardsMoved(("AS",), "hand:0", "board"), CardsMoved(("5S",), "stock", "hand:1"))
    *_, frame = frames_of(History(1, opened(), dealt(), move).events, "public")
    assert frame.event == played(0, CardsMoved(("AS",), "hand:0", "board"), CardsMoved((HIDDEN,), "stock", "hand:1"))


def test_changing_a_hidden_card_changes_nothing_that_is_told():
    told = []
    for card in ("AS", "QS"):
        history = History(1, opened(), dealt(), face_down(0, card))
        told.append([msgspec.json.encode(frame) for frame in frames_of(history.events, "public")])
    assert told[0] == told[1]


def test_bytes_that_cannot_be_read_are_told_by_the_name_of_their_event_only():
    history = History(1, opened(), dealt())
    damaged = history.events[1].state.replace(b'"recorded"', b'"KC"')
    unreadable = decode_event(history.id, 2, "hand.dealt/1", damaged).event
    assert isinstance(unreadable, Unreadable)
    assert "KC" in unreadable.problem
    assert redacted(PUBLIC, Table(SETUP), unreadable) == Unreadable("hand.dealt/1", "")
    assert redacted(ARBITER, Table(SETUP), unreadable) == unreadable


def test_no_frame_holds_a_digest_of_what_it_does_not_tell():
    history = History(1, opened(), dealt(), face_down(0, "AS")).rewind(2)
    told = b"".join(msgspec.json.encode(frame) for frame in frames_of(history.events, "public"))
    links = [recorded.link.encode() for recorded in history.events if recorded.link]
    assert len(links) == 3
    assert not any(link in told for link in links)


def test_a_finished_game_is_told_whole_to_everybody_when_what_it_waits_for_has_come():
    for openness in OPENNESS:
        history = History(1, opened(openness=openness), dealt(), trailed(0, "AS"), finished(1, (1, 2), (1, 2)))
        whole = [recorded.event for recorded in history.events]
        told = {around: [frame.event for frame in frames_of(history.events, "public", around)] == whole for around in (NOTHING, DONE)}
        assert told == {NOTHING: openness in ("hand_over", "game_over"), DONE: openness != "never"}


# A game that is not live


def dark(*events: Event) -> History:
    return History(1, replace(opened(openness="hand_over"), live=False), *events)


def test_of_a_game_that_is_not_live_the_public_gets_stubs_and_the_points_of_closed_hands():
    history = dark(dealt(), trailed(0, "AS"), counted(1, (1, 2)), dealt(2), trailed(0, "KS"))
    frames = frames_of(history.events, "public", DONE)
    assert [(frame.position, frame.name, frame.event) for frame in frames] == [
        (recorded.position, recorded.name, None) for recorded in history.events
    ]
    assert [(table.phase, table.zones, table.marks, table.turn, table.to_act) for table in (frame.table for frame in frames)] == [
        ("covered", {}, {}, None, ())
    ] * 6
    assert [(frame.table.hand, len(frame.table.score.hands), frame.table.score.lines) for frame in frames] == [
        *[(0, 0, ())] * 3,
        *[(1, 1, ())] * 3,
    ]


def test_two_games_that_are_not_live_are_told_alike_whatever_is_played():
    told = []
    for cards in (("AS", "KS"), ("KS", "AS")):
        history = dark(dealt(), *(trailed(0, card) for card in cards))
        told.append([msgspec.json.encode(frame) for frame in frames_of(history.events, "public", DONE)])
    assert told[0] == told[1]


def test_a_seat_of_it_sees_as_a_seat_and_an_official_everything():
    history, live = dark(dealt(), trailed(0, "AS")), History(1, opened(), dealt(), trailed(0, "AS"))
    for who in (0, 1, "arbiter"):
        shown, usual = (frames_of(one.events, who) for one in (history, live))
        assert [(frame.event, frame.table) for frame in shown[1:]] == [(frame.event, frame.table) for frame in usual[1:]]


def test_it_is_told_whole_when_it_is_over():
    history = dark(dealt(), trailed(0, "AS"), GameAbandoned(None))
    assert [frame.event for frame in frames_of(history.events, "public")] == [recorded.event for recorded in history.events]


def test_a_finished_hand_is_told_whole_while_the_next_one_is_played():
    history = History(1, opened(openness="hand_over"), dealt(), trailed(0, "AS"), counted(1, (1, 2)), dealt(2))
    frames = frames_of(history.events, "public")
    assert [frame.event for frame in frames[:4]] == [recorded.event for recorded in history.events[:4]]
    deal: object = frames[4].event
    assert deal != history.events[4].event
    assert frames[3].table == table_at(history.events, 4)


CARDS = st.sampled_from(["AS", "KS", "QS", "JS"])
MOVES = st.one_of(CARDS.map(lambda card: trailed(0, card)), CARDS.map(lambda card: face_down(0, card)), st.just(played(1, MarkSet("n", 1))))


@given(st.lists(MOVES, max_size=6), st.sampled_from(VIEWERS), st.integers(0, 6))
def test_folding_what_a_viewer_is_told_and_masking_it_again_gives_what_he_may_see(moves: list[MovePlayed], who: Who, back: int):
    history = History(1, opened(openness="never"), dealt(), *moves)
    history.rewind(2 + min(back, len(moves)))
    game = project(None, history.events)
    assert game
    table = Table(SETUP)
    for frame in frames_of(history.events, who):
        match frame.event:
            case HandDealt(effects=effects) | MovePlayed(effects=effects):
                table = fold(table, effects)
            case RewindRecorded(restored=restored):
                table = restored
            case _:
                pass
        whole = table_at(history.events, frame.position)
        assert whole
        assert masked(table, game.viewer(who, frame.position, NOTHING)) == frame.table == masked(whole, Viewer(who))
