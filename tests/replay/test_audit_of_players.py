"""The audit of players: every event decided again, what concerns two on both of them."""

from collections import defaultdict
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any, get_args

import msgspec

from domain import codec
from domain.events import Event, Recorded, Stamp
from domain.events.player import PlayerClubChanged, PlayerErased, PlayerEvent, PlayerMerged
from domain.player import Player, player_stream, project, registration
from replay.audit_result import AuditMismatch, SkippedRange, StoredContext, StreamAudit
from replay.streams import audit_player
from tests.each import each
from tests.replay.places import changed_at, places_of

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


class Directory:
    """Players with their histories, a minute after each other, as they lie in a store."""

    def __init__(self, *, bound: bool = True) -> None:
        self.bound = bound
        self.minute = 0
        self.histories: defaultdict[str, list[Recorded]] = defaultdict(list)
        self.sequences: defaultdict[str, list[int]] = defaultdict(list)

    def now(self, player: str) -> Player:
        found = project(None, self.histories[player])
        assert found is not None
        return found

    def record(self, *events: tuple[str, Event]) -> None:
        """In one commit."""
        self.minute += 1
        stamp = Stamp(NOON + timedelta(minutes=self.minute), "p_director")
        for number, (player, event) in enumerate(events):
            history, stamp = self.histories[player], Stamp(stamp.at + timedelta(microseconds=1), stamp.by)
            last = history[-1].state if history else None
            history += codec.link_events(player_stream(player), len(history), last, stamp, [event], bound=self.bound)
            self.sequences[player].append(self.minute * 10 + number)

    def audit(self, player: str, history: list[Recorded] | None = None) -> StreamAudit:
        return audit_player(
            self.histories[player] if history is None else history,
            lambda other: self.histories.get(other, ()),
            StoredContext(self.sequences[player]),
        )


def a_directory(*, bound: bool = True) -> Directory:
    """Everything that can happen to a player."""
    directory = Directory(bound=bound)
    for player in ("one", "two", "three"):
        directory.record((player, registration(player, "Lehrte")))
    directory.record(("one", directory.now("one").transfer("Peine")))
    for _ in range(2):
        mine, others = directory.now("one").merge(directory.now("two"))
        directory.record(("one", *mine), ("two", *others))
        mine, others = directory.now("one").split(directory.now("two"))
        directory.record(("one", *mine), ("two", *others))
    mine, others = directory.now("one").merge(directory.now("two"))
    directory.record(("one", *mine), ("two", *others))
    directory.record(("two", directory.now("two").erase()))
    directory.record(("one", directory.now("one").erase("two")))
    return directory


@each("bound", [True, False])
@each("player", ["one", "two", "three"])
def test_what_was_done_by_the_book_is_sound(player: str, bound: bool):
    directory = a_directory(bound=bound)
    count = len(directory.histories[player])
    assert directory.audit(player) == StreamAudit("player", player, player_stream(player), "sound", count, count, (), (), ())


def test_everything_that_can_happen_to_a_player_happens_here():
    events = {type(one.event) for history in a_directory().histories.values() for one in history}
    assert events == set(get_args(PlayerEvent))


# Single places

OF_PEOPLE = {"player.registered/1": {"club"}, "player.transferred/1": {"club"}}
"""What nobody can tell but who recorded it, as long as no event came after."""


def single_changes(directory: Directory) -> Iterator[tuple[str, Recorded, tuple[str | int, ...], Recorded]]:
    for player, history in list(directory.histories.items()):
        for recorded in history:
            stored = msgspec.json.decode(recorded.state)
            for path in places_of(stored["body"]):
                state = msgspec.json.encode({**stored, "body": changed_at(stored["body"], path)})
                yield player, recorded, path, codec.decode_event(recorded.stream, recorded.position, recorded.name, state)


def test_a_change_of_the_last_event_is_found_but_for_what_only_people_know():
    directory = a_directory()
    unseen: dict[str, set[str]] = {}
    for player, recorded, path, changed in single_changes(directory):
        if directory.audit(player, [*directory.histories[player][: recorded.position - 1], changed]).verdict == "sound":
            unseen.setdefault(recorded.name, set()).add(str(path[0]))
    assert unseen == OF_PEOPLE


def test_a_change_of_any_event_is_found_by_the_one_after_it():
    directory = a_directory()
    for player, recorded, path, changed in single_changes(directory):
        history = directory.histories[player]
        if recorded is not history[-1]:
            found = directory.audit(player, [*history[: recorded.position - 1], changed, *history[recorded.position :]])
            assert any(one.position == recorded.position + 1 and one.kind == "link" for one in found.divergences), (recorded, path)


# Ways to tamper


def kinds(found: StreamAudit) -> list[tuple[int, str, str]]:
    return [(one.position, one.kind, one.recomputed) for one in found.divergences]


def relinked(player: str, events: list[tuple[Stamp, Any]]) -> list[Recorded]:
    whole: list[Recorded] = []
    for stamp, event in events:
        last = whole[-1].state if whole else None
        whole += codec.link_events(player_stream(player), len(whole), last, stamp, [event])
    return whole


def test_a_merger_of_which_the_other_half_is_missing_is_found():
    directory = a_directory()
    history = directory.histories["one"]
    directory.histories["two"] = [*directory.histories["two"][:1]]
    assert kinds(directory.audit("one", history[:3])) == [(3, "other_half", "player.joined/1 in the stream of 'two'")]


def test_a_merger_into_another_player_is_found_though_all_is_linked_anew():
    directory = a_directory()
    kept = [(one.stamp, one.event) for one in directory.histories["one"][:2]]
    forged = relinked("one", [*kept, (directory.histories["one"][2].stamp, PlayerMerged("three"))])
    assert kinds(directory.audit("one", forged)) == [(3, "other_half", "player.joined/1 in the stream of 'three'")]


def test_what_could_not_have_been_decided_is_found_though_all_is_linked_anew():
    directory = a_directory()
    first, second = ((one.stamp, one.event) for one in directory.histories["one"][:2])
    assert kinds(directory.audit("one", relinked("one", [first, second, second]))) == [(3, "refused", "same_club")]
    erased = (second[0], PlayerErased())
    assert kinds(directory.audit("one", relinked("one", [first, erased, (second[0], PlayerClubChanged("x"))]))) == [
        (3, "refused", "player_erased")
    ]


def test_who_was_erased_alone_though_he_was_merged_is_found():
    directory = a_directory()
    directory.histories["two"].pop()
    count = len(directory.histories["one"])
    assert kinds(directory.audit("one")) == [(count, "refused", "player_merged")]


def test_a_player_under_the_id_of_another_is_found_also_where_the_links_do_not_know_the_id():
    for bound in (True, False):
        directory = a_directory(bound=bound)
        elsewhere = player_stream("two")
        history = [codec.decode_event(elsewhere, one.position, one.name, one.state) for one in directory.histories["three"]]
        told = AuditMismatch(1, "stream", "player 'three'", f"stream {player_stream('three')}, not {elsewhere}")
        assert directory.audit("three", history).divergences[-1] == told


def test_damaged_history_is_told_and_what_follows_it_is_not_judged():
    directory = a_directory()
    history = list(directory.histories["one"])
    history[1] = codec.decode_event(history[1].stream, 2, "player.transferred/1", b"nonsense")
    found = directory.audit("one", history)
    assert [(one.position, one.kind) for one in found.divergences] == [(2, "unreadable"), (3, "link")]
    assert found.unjudged == (SkippedRange(3, len(history), "what was recorded before it is not known"),)
    history[0] = codec.decode_event(history[0].stream, 1, "player.dreamt/1", history[0].state)
    assert next((one.position, one.kind) for one in directory.audit("one", history).divergences) == (1, "unknown_name")


def test_sequences_that_do_not_rise_are_found():
    directory = a_directory()
    directory.sequences["one"][1:3] = directory.sequences["one"][2:0:-1]
    assert [(one.position, one.kind) for one in directory.audit("one").divergences] == [(3, "sequence")]
