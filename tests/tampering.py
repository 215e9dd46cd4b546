"""Sound games of two hands, and a catalogue of manipulations of their stored events.

A game is rows as they are in the store: position -> (name, bytes). ``TAMPERINGS`` gives for each manipulation the places where the audit
has to find it. More findings may follow at later positions, because the recorded table differs from there on.
"""

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from random import Random
from typing import Any, NamedTuple, TypeAlias
from uuid import UUID

import msgspec

from domain import codec
from domain.events import Event, Recorded, Stamp
from domain.events.game import RewindRecorded
from domain.game import Game, fold_event, project
from domain.games import RULESETS
from domain.opening import opening
from replay.sample_games import random_deal, random_move
from tests.benchmarks.games import event_of

Row: TypeAlias = tuple[str, bytes]
Rows: TypeAlias = dict[int, Row]

GAME = UUID(int=7, version=4)
START = datetime(2026, 11, 21, 19, tzinfo=UTC)
REWIND, BACK_TO = 9, 6
SECOND_DEAL = 54
LENGTH = 60
"""Length of the game of Casino: 48 moves and a deal per hand, and in the first hand two moves taken back."""


@cache
def a_game(
    ruleset: str = "casino", seats: int = 2, length: int = LENGTH, game: UUID = GAME, seed: int = 3, *, bound: bool = True
) -> tuple[Recorded, ...]:
    """Return a random game; at position ``REWIND`` two moves are taken back. Unless it is ``bound``, an older version began it."""
    rules = RULESETS[ruleset]
    rulebook, chance = rules.bind({}, seats), Random(seed)
    history = [_recorded(game, (), opening(rules, {}, seats), bound)]
    now = _standing(history)
    tables = {1: now.table}
    while len(history) < length:
        position = len(history) + 1
        if now.table.phase == "game_over":
            break
        event: Event
        if position == REWIND:
            event = RewindRecorded(BACK_TO, None, None, tables[BACK_TO])
        else:
            step = random_move(rulebook, now.table, chance) if now.table.in_hand else random_deal(rulebook, now.table, chance)
            event = event_of(step, rules.edition)
        history.append(_recorded(game, history, event, bound))
        now = fold_event(now, history[-1])
        tables[position] = now.table
    return tuple(history)


def _standing(history: Sequence[Recorded]) -> Game:
    game = project(None, history)
    assert game
    return game


def _recorded(game: UUID, history: Sequence[Recorded], event: Event, bound: bool) -> Recorded:
    stamp, last = Stamp(START + timedelta(seconds=len(history) + 1), "p_recorder"), history[-1].state if history else None
    [recorded] = codec.link_events(game, len(history), last, stamp, [event], bound=bound)
    return recorded


def rows_of(history: Sequence[Recorded]) -> Rows:
    return {recorded.position: (recorded.name, recorded.state) for recorded in history}


def read(rows: Rows, game: UUID = GAME) -> list[Recorded]:
    """Return the events as the store would."""
    return [codec.decode_event(game, position, name, state) for position, (name, state) in sorted(rows.items())]


def changed(rows: Rows, position: int, change: Callable[[dict[str, Any]], object]) -> Rows:
    """Return the rows with the stored JSON of one event changed in place."""
    name, state = rows[position]
    stored = msgspec.json.decode(state)
    change(stored)
    return {**rows, position: (name, msgspec.json.encode(stored))}


def relinked(rows: Rows, stream: UUID = GAME) -> Rows:
    """Return the rows with all links recomputed, in the form of the first event, as an attacker with write access can do."""
    whole: Rows = {}
    bound, before = is_bound(rows), None
    for position, (name, state) in sorted(rows.items()):
        link = codec.expected_link(stream, position, name, before, bound=bound)
        before = msgspec.json.encode({**msgspec.json.decode(state), "link": link})
        whole[position] = (name, before)
    return whole


def is_bound(rows: Rows) -> bool:
    return msgspec.json.decode(rows[min(rows)][1])["link"] is not None


def renumbered(rows: Rows) -> Rows:
    return dict(enumerate((row for _, row in sorted(rows.items())), 1))


# Positions of events and effects


def effects(rows: Rows, word: str, after: int = 2) -> Iterator[tuple[int, int]]:
    """Yield the positions of moves, and the places within their effects, of effects with that word."""
    for position, (name, state) in sorted(rows.items()):
        if name == "move.played/1" and position > after:
            found = [number for number, effect in enumerate(msgspec.json.decode(state)["body"]["effects"]) if effect[0] == word]
            yield from ((position, number) for number in found)


def first(rows: Rows, word: str, after: int = 2) -> tuple[int, int]:
    return next(effects(rows, word, after))


# The manipulations


def a_card_of_an_effect(rows: Rows) -> Rows:
    return changed(rows, 20, lambda stored: _swap_card(stored["body"]["effects"][_moving(stored)][1]))


def _moving(stored: dict[str, Any]) -> int:
    return next(number for number, effect in enumerate(stored["body"]["effects"]) if effect[0] == "moved")


def _swap_card(cards: list[str]) -> None:
    cards[0] = "KC" if cards[0] != "KC" else "KD"


def a_card_of_a_move(rows: Rows) -> Rows:
    return changed(rows, 20, lambda stored: stored["body"]["move"].update(card="KC" if stored["body"]["move"]["card"] != "KC" else "KD"))


def a_dropped_move(rows: Rows) -> Rows:
    return {position: row for position, row in rows.items() if position != 20}


def a_dropped_move_and_the_others_moved_up(rows: Rows) -> Rows:
    return renumbered(a_dropped_move(rows))


def a_dropped_move_and_all_linked_anew(rows: Rows) -> Rows:
    return relinked(renumbered(a_dropped_move(rows)))


def two_moves_swapped(rows: Rows) -> Rows:
    return {**rows, 20: rows[21], 21: rows[20]}


def two_moves_swapped_and_all_linked_anew(rows: Rows) -> Rows:
    return relinked(two_moves_swapped(rows))


def a_raised_score(rows: Rows) -> Rows:
    position, place = first(rows, "scored", 40)
    return changed(rows, position, lambda stored: stored["body"]["effects"][place].__setitem__(2, [9, 0]))


def a_raised_score_and_all_linked_anew(rows: Rows) -> Rows:
    return relinked(a_raised_score(rows))


def a_dropped_line_of_the_sheet(rows: Rows) -> Rows:
    position, place = first(rows, "scored", 40)
    return changed(rows, position, lambda stored: stored["body"]["effects"].pop(place))


def a_changed_mark(rows: Rows) -> Rows:
    position, place = first(rows, "mark")
    return changed(rows, position, lambda stored: stored["body"]["effects"][place].__setitem__(2, 77))


def a_number_that_became_true(rows: Rows) -> Rows:
    """Change a number to a boolean that Python considers equal."""
    position, place = next(
        (position, place)
        for position, place in effects(rows, "mark")
        if msgspec.json.decode(rows[position][1])["body"]["effects"][place][2] in (0, 1)
    )
    return changed(
        rows, position, lambda stored: stored["body"]["effects"][place].__setitem__(2, bool(stored["body"]["effects"][place][2]))
    )


def an_effect_removed(rows: Rows) -> Rows:
    return changed(rows, 20, lambda stored: stored["body"]["effects"].pop(0))


def all_effects_removed(rows: Rows) -> Rows:
    return changed(rows, 20, lambda stored: stored["body"]["effects"].clear())


def an_effect_added(rows: Rows) -> Rows:
    return changed(rows, 20, lambda stored: stored["body"]["effects"].append(["moved", ["KC"], "stock", "board"]))


def an_effect_twice(rows: Rows) -> Rows:
    return changed(rows, 20, lambda stored: stored["body"]["effects"].insert(0, stored["body"]["effects"][0]))


def a_zone_laid_in_the_middle(rows: Rows) -> Rows:
    return changed(rows, 20, lambda stored: stored["body"]["effects"].append(["zone", "stock", "none", None, ["?", "XX"]]))


def a_turn_passed_to_nobody(rows: Rows) -> Rows:
    position, place = first(rows, "turn", 20)
    return changed(rows, position, lambda stored: stored["body"]["effects"].__setitem__(place, ["turn", "play", 9, [9, 9]]))


def a_phase_of_ones_own(rows: Rows) -> Rows:
    position, place = first(rows, "turn", 20)
    return changed(rows, position, lambda stored: stored["body"]["effects"].__setitem__(place, ["turn", "lunch", None, []]))


def a_hand_opened_in_the_middle(rows: Rows) -> Rows:
    return changed(rows, 20, lambda stored: stored["body"]["effects"].append(["hand", 5, 7]))


def a_game_closed_in_the_middle(rows: Rows) -> Rows:
    return changed(rows, 20, lambda stored: stored["body"]["effects"].append(["over", [1], {}]))


def a_hand_closed_in_the_middle(rows: Rows) -> Rows:
    return changed(rows, 20, lambda stored: stored["body"]["effects"].append(["closed", "lunch", {}]))


def no_json(rows: Rows) -> Rows:
    return {**rows, 20: (rows[20][0], b"\x00\xff nonsense")}


def no_bytes(rows: Rows) -> Rows:
    return {**rows, 20: (rows[20][0], b"")}


def bytes_cut_off(rows: Rows) -> Rows:
    return {**rows, 20: (rows[20][0], rows[20][1][:-7])}


def no_utf8(rows: Rows) -> Rows:
    return {**rows, 20: (rows[20][0], rows[20][1].replace(b"p_recorder", b"p_\xff\xfe"))}


def brackets_without_end(rows: Rows) -> Rows:
    return {**rows, 20: (rows[20][0], b'{"body":' + b"[" * 100_000)}


def a_field_too_many(rows: Rows) -> Rows:
    return changed(rows, 20, lambda stored: stored["body"].update(odd=1))


def an_effect_of_an_unknown_word(rows: Rows) -> Rows:
    return changed(rows, 20, lambda stored: stored["body"]["effects"].append(["burnt", ["KC"]]))


def a_time_without_an_offset(rows: Rows) -> Rows:
    return changed(rows, 20, lambda stored: stored.update(at="2026-11-21T19:00:20"))


def an_unknown_name(rows: Rows) -> Rows:
    return {**rows, 20: ("move.dreamt/1", rows[20][1])}


def the_name_of_another_event(rows: Rows) -> Rows:
    return {**rows, 20: ("hand.dealt/1", rows[20][1])}


def a_broken_link(rows: Rows) -> Rows:
    return changed(rows, 20, lambda stored: stored.update(link="0" * 64))


def no_link(rows: Rows) -> Rows:
    return changed(rows, 20, lambda stored: stored.update(link=None))


def a_card_twice_in_the_deck(rows: Rows) -> Rows:
    return changed(rows, SECOND_DEAL, lambda stored: _laid(stored).__setitem__(0, _laid(stored)[1]))


def a_deck_cut_short(rows: Rows) -> Rows:
    return changed(rows, SECOND_DEAL, lambda stored: _laid(stored).clear())


def another_order_of_the_deck(rows: Rows) -> Rows:
    return changed(rows, SECOND_DEAL, lambda stored: _laid(stored).reverse())


def _laid(stored: dict[str, Any]) -> list[str]:
    cards: list[str] = next(effect[4] for effect in stored["body"]["effects"] if effect[0] == "zone" and effect[1] == "stock")
    return cards


def another_dealer(rows: Rows) -> Rows:
    return changed(rows, SECOND_DEAL, lambda stored: stored["body"].update(dealer=1 - stored["body"]["dealer"]))


def a_dealer_who_does_not_exist(rows: Rows) -> Rows:
    return changed(rows, SECOND_DEAL, lambda stored: stored["body"].update(dealer=9))


def a_deal_dropped(rows: Rows) -> Rows:
    return {position: row for position, row in rows.items() if position != SECOND_DEAL}


def another_seat(rows: Rows) -> Rows:
    return changed(rows, 20, lambda stored: stored["body"].update(seat=1 - stored["body"]["seat"]))


def a_seat_that_does_not_exist(rows: Rows) -> Rows:
    return changed(rows, 20, lambda stored: stored["body"].update(seat=-3))


def a_move_that_is_none(rows: Rows) -> Rows:
    return changed(rows, 20, lambda stored: stored["body"].update(move=None))


def another_time(rows: Rows) -> Rows:
    return changed(rows, 20, lambda stored: stored.update(at="2026-11-21T18:00:00Z"))


def another_principal(rows: Rows) -> Rows:
    return changed(rows, 20, lambda stored: stored.update(by="p_somebody"))


def a_card_of_the_restored_table(rows: Rows) -> Rows:
    return changed(rows, REWIND, lambda stored: _swap_card(stored["body"]["restored"]["zones"]["stock"]["cards"]))


def the_turn_of_the_restored_table(rows: Rows) -> Rows:
    return changed(rows, REWIND, lambda stored: stored["body"]["restored"].update(turn=1, to_act=[1]))


def the_score_of_the_restored_table(rows: Rows) -> Rows:
    return relinked(changed(rows, REWIND, lambda stored: stored["body"]["restored"]["score"]["lines"].append(["scored", "aces", [3, 0]])))


def a_restored_table_without_zones(rows: Rows) -> Rows:
    return changed(rows, REWIND, lambda stored: stored["body"]["restored"].update(zones={}))


def a_rewind_to_another_position(rows: Rows) -> Rows:
    return changed(rows, REWIND, lambda stored: stored["body"].update(to=BACK_TO - 1))


def a_rewind_to_no_position(rows: Rows) -> Rows:
    return changed(rows, REWIND, lambda stored: stored["body"].update(to=1000))


def a_rewind_dropped(rows: Rows) -> Rows:
    return relinked(renumbered({position: row for position, row in rows.items() if position != REWIND}))


def a_move_pasted_in_at_the_end(rows: Rows) -> Rows:
    return relinked({**rows, LENGTH + 1: rows[LENGTH]})


def an_event_of_another_game(rows: Rows) -> Rows:
    return {**rows, 20: rows_of(a_game(seed=4))[20]}


def a_second_opening(rows: Rows) -> Rows:
    return {**rows, 20: rows[1]}


def other_options(rows: Rows) -> Rows:
    return changed(
        rows, 1, lambda stored: stored["body"]["setup"]["options"].update(sweeps=not stored["body"]["setup"]["options"]["sweeps"])
    )


def options_that_no_game_has(rows: Rows) -> Rows:
    return changed(rows, 1, lambda stored: stored["body"]["setup"].update(options={"jokers": 3}))


def another_number_of_seats(rows: Rows) -> Rows:
    return changed(rows, 1, lambda stored: stored["body"]["setup"].update(seats=7))


def a_row_of_the_sheet_gone(rows: Rows) -> Rows:
    return changed(rows, 1, lambda stored: stored["body"]["setup"]["rows"].pop())


def points_before_the_first_hand(rows: Rows) -> Rows:
    return changed(rows, 1, lambda stored: stored["body"]["setup"].update(start_totals=[20, 0]))


def a_player_on_two_seats(rows: Rows) -> Rows:
    return changed(rows, 1, lambda stored: stored["body"].update(players=["p", "p"]))


def an_opening_that_is_no_json(rows: Rows) -> Rows:
    return {**rows, 1: (rows[1][0], b"nonsense")}


def no_opening(rows: Rows) -> Rows:
    return {position: row for position, row in rows.items() if position > 1}


def the_opening_after_the_deal(rows: Rows) -> Rows:
    return {**rows, 1: rows[2], 2: rows[1]}


def the_last_move(rows: Rows) -> Rows:
    return changed(rows, LENGTH, lambda stored: _swap_card(stored["body"]["effects"][_moving(stored)][1]))


def the_last_move_is_no_json(rows: Rows) -> Rows:
    return {**rows, LENGTH: (rows[LENGTH][0], b"nonsense")}


class Tampering(NamedTuple):
    """A manipulation. ``found``: where the audit has to find it, and as what; nothing may be found before the first of these places."""

    way: Callable[[Rows], Rows]
    found: tuple[tuple[int, str], ...]


TURN, MARK, COUNTED = 21, 3, 53
"""Positions at which the turn passes to the other seat, a mark is first set, and the first hand is counted."""

_EFFECTS, _LINK = (20, "effects"), (21, "link")
_REFUSED, _UNREADABLE = (20, "refused"), (20, "unreadable")

_TAMPERINGS = (
    Tampering(a_card_of_an_effect, (_EFFECTS, (20, "cards"), _LINK)),
    Tampering(a_card_of_a_move, (_REFUSED, _LINK)),
    Tampering(a_dropped_move, ((21, "gap"),)),
    Tampering(a_dropped_move_and_the_others_moved_up, ((20, "link"), _REFUSED)),
    Tampering(a_dropped_move_and_all_linked_anew, (_REFUSED,)),
    Tampering(two_moves_swapped, ((20, "link"), _REFUSED, _LINK, (22, "link"))),
    Tampering(two_moves_swapped_and_all_linked_anew, (_REFUSED, (22, "refused"))),
    Tampering(a_raised_score, ((COUNTED, "effects"), (COUNTED + 1, "link"), (LENGTH, "score_sheet"))),
    Tampering(a_raised_score_and_all_linked_anew, ((COUNTED, "effects"), (LENGTH, "score_sheet"))),
    Tampering(a_dropped_line_of_the_sheet, ((COUNTED, "effects"), (COUNTED + 1, "link"), (LENGTH, "score_sheet"))),
    Tampering(a_changed_mark, ((MARK, "effects"), (MARK + 1, "link"))),
    Tampering(a_number_that_became_true, ((MARK, "effects"), (MARK + 1, "link"))),
    Tampering(an_effect_removed, (_EFFECTS, _LINK)),
    Tampering(all_effects_removed, (_EFFECTS, _LINK)),
    Tampering(an_effect_added, (_EFFECTS, (20, "cards"), _LINK)),
    Tampering(an_effect_twice, (_EFFECTS, (20, "cards"), _LINK)),
    Tampering(a_zone_laid_in_the_middle, (_EFFECTS, (20, "cards"), _LINK)),
    Tampering(a_turn_passed_to_nobody, ((TURN, "effects"), (TURN + 1, "link"), (TURN + 1, "refused"))),
    Tampering(a_phase_of_ones_own, ((TURN, "effects"), (TURN + 1, "link"))),
    Tampering(a_hand_opened_in_the_middle, (_EFFECTS, _LINK)),
    Tampering(a_hand_closed_in_the_middle, (_EFFECTS, _LINK, (LENGTH, "score_sheet"))),
    Tampering(a_game_closed_in_the_middle, (_EFFECTS, _LINK)),
    Tampering(no_json, (_UNREADABLE, _LINK)),
    Tampering(no_bytes, (_UNREADABLE, _LINK)),
    Tampering(bytes_cut_off, (_UNREADABLE, _LINK)),
    Tampering(no_utf8, (_UNREADABLE, _LINK)),
    Tampering(brackets_without_end, (_UNREADABLE, _LINK)),
    Tampering(a_field_too_many, (_UNREADABLE, _LINK)),
    Tampering(an_effect_of_an_unknown_word, (_UNREADABLE, _LINK)),
    Tampering(a_time_without_an_offset, (_UNREADABLE, _LINK)),
    Tampering(an_unknown_name, ((20, "unknown_name"),)),
    Tampering(the_name_of_another_event, (_UNREADABLE,)),
    Tampering(a_broken_link, ((20, "link"), _LINK)),
    Tampering(no_link, ((20, "link"), _LINK)),
    Tampering(a_card_twice_in_the_deck, ((SECOND_DEAL, "refused"), (SECOND_DEAL, "cards"), (SECOND_DEAL + 1, "link"))),
    Tampering(a_deck_cut_short, ((SECOND_DEAL, "refused"), (SECOND_DEAL, "cards"), (SECOND_DEAL + 1, "link"))),
    Tampering(another_order_of_the_deck, ((SECOND_DEAL, "effects"), (SECOND_DEAL + 1, "link"))),
    Tampering(another_dealer, ((SECOND_DEAL, "refused"), (SECOND_DEAL + 1, "link"))),
    Tampering(a_dealer_who_does_not_exist, ((SECOND_DEAL, "refused"), (SECOND_DEAL + 1, "link"))),
    Tampering(a_deal_dropped, ((SECOND_DEAL + 1, "gap"),)),
    Tampering(another_seat, (_REFUSED, _LINK)),
    Tampering(a_seat_that_does_not_exist, (_REFUSED, _LINK)),
    Tampering(a_move_that_is_none, (_REFUSED, _LINK)),
    Tampering(another_time, (_LINK,)),
    Tampering(another_principal, (_LINK,)),
    Tampering(a_card_of_the_restored_table, ((REWIND, "restored"), (REWIND, "cards"), (REWIND + 1, "link"))),
    Tampering(the_turn_of_the_restored_table, ((REWIND, "restored"), (REWIND + 1, "link"))),
    Tampering(the_score_of_the_restored_table, ((REWIND, "restored"), (LENGTH, "score_sheet"))),
    Tampering(a_restored_table_without_zones, ((REWIND, "restored"), (REWIND + 1, "link"))),
    Tampering(a_rewind_to_another_position, ((REWIND, "restored"), (REWIND + 1, "link"))),
    Tampering(a_rewind_to_no_position, ((REWIND, "restored"), (REWIND + 1, "link"))),
    Tampering(a_rewind_dropped, ((REWIND, "refused"),)),
    Tampering(a_move_pasted_in_at_the_end, ((LENGTH + 1, "refused"),)),
    Tampering(an_event_of_another_game, ((20, "link"), _LINK)),
    Tampering(a_second_opening, ((20, "misplaced"), (20, "link"), _LINK)),
    Tampering(other_options, ((2, "link"),)),
    Tampering(options_that_no_game_has, ((1, "refused"), (2, "link"))),
    Tampering(another_number_of_seats, ((1, "refused"), (2, "link"))),
    Tampering(a_row_of_the_sheet_gone, ((1, "opening"), (2, "link"))),
    Tampering(points_before_the_first_hand, ((1, "opening"), (2, "link"))),
    Tampering(a_player_on_two_seats, ((1, "refused"), (2, "link"))),
    Tampering(an_opening_that_is_no_json, ((1, "unreadable"), (2, "link"))),
    Tampering(no_opening, ((2, "gap"),)),
    Tampering(the_opening_after_the_deal, ((1, "misplaced"), (1, "link"), (2, "link"), (3, "link"))),
    Tampering(the_last_move, ((LENGTH, "effects"), (LENGTH, "cards"))),
    Tampering(the_last_move_is_no_json, ((LENGTH, "unreadable"),)),
)
TAMPERINGS = {tampering.way.__name__: tampering for tampering in _TAMPERINGS}

# Manipulations that a chain of digests within one store cannot reveal


def the_tail_cut_off(rows: Rows) -> Rows:
    return {position: row for position, row in rows.items() if position <= 40}


def the_last_principal(rows: Rows) -> Rows:
    return changed(rows, LENGTH, lambda stored: stored.update(by="p_somebody"))


def the_last_time(rows: Rows) -> Rows:
    return changed(rows, LENGTH, lambda stored: stored.update(at="2026-12-24T18:00:00Z"))


def another_principal_and_all_linked_anew(rows: Rows) -> Rows:
    return relinked(another_principal(rows))


def another_game_by_the_rules(rows: Rows) -> Rows:
    return rows_of(a_game(seed=5, bound=is_bound(rows)))


UNSEEN = {
    way.__name__: way
    for way in (the_tail_cut_off, the_last_principal, the_last_time, another_principal_and_all_linked_anew, another_game_by_the_rules)
}
