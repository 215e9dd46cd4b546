"""The audit of what officials did: by the rules where they have a say, and by nothing where they have none."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from random import Random
from uuid import UUID

import msgspec
import pytest
from msgspec.structs import replace

from domain import codec
from domain.errors import InvalidFormatError, Refused
from domain.events import Recorded, digest
from domain.events.base import TextRef
from domain.events.game import (
    DisputeAppealed,
    DisputeRaised,
    DisputeRuled,
    DisputeWithdrawn,
    GameAnnulled,
    GameMadePublic,
    GameResumed,
    GameSuspended,
    HandEndedEarly,
    IllegalMoveAccepted,
    Instance,
    NoteAdded,
    PlayersCorrected,
    PlayerSeated,
    PointsAdjusted,
    SheetSigned,
    SignatureWithdrawn,
)
from domain.game import Game
from domain.moves import AcceptedMove, reject_move
from domain.paper import sheet_digest
from domain.ruling import Order, PointsChange, adjust, allow_illegal_move, order_table_change, rule
from domain.score import sheet
from replay.audit import audit
from tests.domain.test_game import Recorder, lay
from tests.domain.toy import TOY
from tests.projections.histories import table_at
from tests.replay.places import changed_at, places_of

EDITIONS = {("toy", TOY.edition): TOY}
WHY = TextRef("t1", "digest of t1")
TAKEN = [["moved", ["2"], "hand:0", "board"], ["turn", "lay", 1, [1]]]


def a_disputed_game() -> Recorder:
    """An illegal move stands, is disputed and taken back, the table is put right, the hand played, points are taken."""
    recorder = Recorder(hands=2)
    recorder.deal()
    recorder.add(allow_illegal_move(recorder.game, recorder.rulebook, AcceptedMove(0, lay("3"), TAKEN), None, None))
    recorder.enact(DisputeRaised(0, 3, 1, None, True))
    restored = table_at(recorder.history, 2)
    recorder.add(*rule(recorder.game, recorder.rulebook, DisputeRuled(0, 1, "arbiter", "rewind", None), Order(to=2, restored=restored)))
    swap = [["moved", ["3"], "hand:1", "hand:0"], ["moved", ["1"], "hand:0", "hand:1"]]
    recorder.add(order_table_change(recorder.game, recorder.rulebook, swap, None, 1))
    recorder.lay((0, "3"), (1, "2"))
    recorder.deal(0)
    recorder.lay((1, "1"), (0, "3"))
    recorder.add(*adjust(recorder.game, [PointsChange(0, -2, 1), PointsChange(1, 1)], None, None, recorder.rulebook))
    return recorder


def signed(game: Game, party: int) -> SheetSigned:
    return SheetSigned(party, game.position, sheet_digest(sheet(game.setup, game.table.score)))


def one_act(recorder: Recorder, chance: Random) -> None:
    """Something that is done at a table or by an official, whether it can be done now or not."""
    game, rulebook, add, enact = recorder.game, recorder.rulebook, recorder.add, recorder.enact
    seat, number = chance.randrange(2), chance.randint(1, 3)
    to = chance.randint(1, game.position)
    order = Order(to=to, restored=table_at(recorder.history, to))
    instance: Instance = chance.choice(("arbiter", "committee"))
    points = [PointsChange(seat, chance.randint(-2, 2), chance.choice((None, 1))) for _ in range(number)]
    acts: list[Callable[[], object]] = [
        lambda: recorder.deal(seat),
        lambda: recorder.lay((seat, chance.choice("123"))),
        lambda: recorder.lay((game.table.turn or 0, chance.choice("123"))),
        lambda: recorder.rewind(to),
        lambda: enact(DisputeRaised(0, to, seat, WHY, chance.random() < 0.3)),
        lambda: add(*rule(game, rulebook, DisputeRuled(0, chance.choice((None, number)), instance, "rewind", WHY), order)),
        lambda: add(*rule(game, rulebook, DisputeRuled(0, number, instance, "adjust", WHY), Order(adjustments=tuple(points)))),
        lambda: enact(DisputeAppealed(number, seat, None, WHY, chance.random() < 0.3)),
        lambda: enact(DisputeWithdrawn(number, WHY)),
        lambda: add(order_table_change(game, rulebook, [["moved", [chance.choice("123")], "hand:0", "hand:1"]], WHY, None)),
        lambda: add(allow_illegal_move(game, rulebook, AcceptedMove(0, lay("3"), TAKEN), WHY, None)),
        lambda: add(*adjust(game, points, WHY, None, rulebook)),
        lambda: enact(chance.choice((GameSuspended, GameResumed))(WHY)),
        lambda: enact(HandEndedEarly((), True, WHY)),
        lambda: enact(signed(game, seat)),
        lambda: enact(SignatureWithdrawn(0, to)),
        lambda: enact(PlayerSeated(seat, chance.choice((None, "p_1", "p_2"))), NoteAdded(WHY, to)),
        lambda: enact(PlayersCorrected(chance.choice((("p_1", "p_2"), ("p_3", None))), number, WHY)),
        lambda: enact(GameMadePublic(WHY)),
    ]
    chance.choice(acts)()


@pytest.mark.parametrize("seed", range(6))
def test_whatever_was_done_by_the_book_is_sound(seed: int):
    recorder, chance = Recorder(hands=3), Random(seed)
    for _ in range(120):
        with suppress(Refused, InvalidFormatError):
            one_act(recorder, chance)
    assert len(recorder.history) > 20
    assert audit(recorder.history, EDITIONS).divergences == ()


def with_event(history: list[Recorded], position: int, event: IllegalMoveAccepted | DisputeRaised | PointsAdjusted) -> list[Recorded]:
    changed, link = [], None
    for recorded in history:
        new = event if recorded.position == position else recorded.event
        changed.append(codec.encode_event(UUID(int=7), recorded.position, link, recorded.stamp, new))
        link = digest(changed[-1].state)
    return changed


def test_a_game_that_was_put_right_is_sound():
    recorder = a_disputed_game()
    assert audit(recorder.history, EDITIONS).verdict == "sound"
    restored = table_at(recorder.history, 8)
    recorder.add(*rule(recorder.game, recorder.rulebook, DisputeRuled(0, None, "arbiter", "rewind", None), Order(to=8, restored=restored)))
    assert audit(recorder.history, EDITIONS).divergences == ()
    recorder.enact(GameAnnulled(None, None))
    assert audit(recorder.history, EDITIONS).divergences == ()


def test_another_refusal_than_the_rules_would_give_is_found():
    recorder = a_disputed_game()
    event = recorder.history[2].event
    assert isinstance(event, IllegalMoveAccepted)
    found = audit(with_event(recorder.history, 3, replace(event, code="not_your_turn")), EDITIONS)
    assert [(one.position, one.kind, one.recomputed) for one in found.divergences] == [(3, "refused", '["card_not_in_hand",["TOY-1"]]')]


def test_a_move_that_stood_though_it_was_legal_is_found():
    recorder = a_disputed_game()
    event = recorder.history[2].event
    assert isinstance(event, IllegalMoveAccepted)
    found = audit(with_event(recorder.history, 3, replace(event, move=lay("2"))), EDITIONS)
    assert [(one.position, one.recomputed) for one in found.divergences] == [(3, '["the move is legal",[]]')]


def test_a_dispute_about_a_move_that_the_rules_refuse_otherwise_is_found():
    recorder = Recorder()
    recorder.deal()
    refused = reject_move(recorder.rulebook, recorder.game.table, 0, lay("3"))
    recorder.enact(DisputeRaised(0, 2, 1, None, True, refused))
    assert audit(recorder.history, EDITIONS).verdict == "sound"
    other = DisputeRaised(1, 2, 1, None, True, replace(refused, code="not_your_turn"))
    found = audit(with_event(recorder.history, 3, other), EDITIONS)
    assert [(one.position, one.kind, one.recomputed) for one in found.divergences] == [(3, "refused", '["card_not_in_hand",["TOY-1"]]')]


def test_places_that_the_points_do_not_give_are_found():
    recorder = a_disputed_game()
    last = recorder.history[-1]
    assert isinstance(last.event, PointsAdjusted)
    found = audit(with_event(recorder.history, last.position, replace(last.event, places=(1, 2))), EDITIONS)
    assert (last.position, "act", "places: [1,2]", "places: [2,1]") in [
        (one.position, one.kind, one.recorded, one.recomputed) for one in found.divergences
    ]


def test_a_ruling_whose_order_is_missing_is_found():
    recorder = a_disputed_game()
    told = [(one.position, one.kind, one.recorded, one.recomputed) for one in audit(recorder.history[:5], EDITIONS).divergences]
    assert told == [(5, "act", "nothing after it", "game.rewound/1 of ruling 1")]


# Single places


def a_game_of_acts() -> Recorder:
    """Everything that officials can do, each with all that it can say."""
    recorder = a_disputed_game()
    enact = recorder.enact
    enact(DisputeAppealed(1, 0, datetime(2026, 1, 2, tzinfo=UTC), WHY, True))
    recorder.add(*rule(recorder.game, recorder.rulebook, DisputeRuled(0, 1, "committee", "stands", WHY, ("TOY-1",)), Order()))
    enact(NoteAdded(WHY, 3), PlayerSeated(1, "p_2"), PlayersCorrected(("p_3", "p_4"), 1, WHY), DisputeRaised(0, 2, 0, WHY, False))
    enact(signed(recorder.game, 0))
    enact(SignatureWithdrawn(0, recorder.game.position))
    enact(signed(recorder.game, 0))
    enact(DisputeWithdrawn(2, WHY), GameSuspended(WHY), GameResumed(WHY), GameMadePublic(WHY), GameAnnulled(WHY, 2))
    return recorder


OF_THE_OFFICIAL = {
    "dispute.appealed/1": {"seat", "reason", "suspends"},
    "dispute.raised/1": {"position", "seat", "claim", "suspends"},
    "dispute.ruled/1": {"reason", "rules"},
    "dispute.withdrawn/1": {"reason"},
    "game.annulled/1": {"reason"},
    "game.disclosed/1": {"reason"},
    "game.opened/1": {"setup", "round"},
    "game.resumed/1": {"reason"},
    "game.suspended/1": {"reason"},
    "move.stood/1": {"effects"},
    "note.added/1": {"position", "text"},
    "player.seated/1": {"player"},
    "players.rectified/1": {"from_hand", "players", "reason"},
    "points.adjusted/1": {"further", "hand", "points"},
    "sheet.signed/1": {"party"},
    "table.rectified/1": {"effects"},
}
"""What nobody can tell but who recorded it: as long as no event came after, it might as well have been so. Of the set-up the options."""


def single_changes() -> Iterator[tuple[int, str, tuple[str | int, ...], list[Recorded]]]:
    """Every single place of every event changed in turn, in a history that ends there."""
    history = a_game_of_acts().history
    for last in history:
        stored = msgspec.json.decode(last.state)
        for path in places_of(stored["body"]):
            state = msgspec.json.encode({**stored, "body": changed_at(stored["body"], path)})
            yield (
                last.position,
                last.name,
                path,
                [*history[: last.position - 1], codec.decode_event(UUID(int=7), last.position, last.name, state)],
            )


def test_a_change_of_the_last_event_is_found_but_for_what_only_the_official_knows():
    unseen: dict[str, set[str]] = {}
    for _, name, path, tampered in single_changes():
        if audit(tampered, EDITIONS).verdict == "sound":
            unseen.setdefault(name, set()).add(str(path[0]))
    assert unseen == OF_THE_OFFICIAL


def test_a_change_of_any_event_is_found_by_the_one_after_it():
    history = a_game_of_acts().history
    for position, _, path, tampered in single_changes():
        if position < len(history):
            found = audit([*tampered, history[position]], EDITIONS)
            assert any(one.position == position + 1 and one.kind == "link" for one in found.divergences), (position, path)


def test_a_move_in_a_game_that_was_halted_is_found():
    recorder = a_disputed_game()
    moved = next(recorded for recorded in recorder.history if recorded.name == "move.played/1")
    whole = [*recorder.history[: moved.position - 1]]
    link = digest(whole[-1].state)
    whole.append(codec.encode_event(UUID(int=7), moved.position, link, moved.stamp, GameSuspended(None)))
    whole.append(codec.encode_event(UUID(int=7), moved.position + 1, digest(whole[-1].state), moved.stamp, moved.event))
    found = audit(whole, EDITIONS)
    assert [(one.position, one.kind, one.recomputed) for one in found.divergences] == [
        (moved.position + 1, "refused", "game_suspended (COM-65)")
    ]
