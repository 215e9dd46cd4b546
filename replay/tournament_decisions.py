"""The decisions that an audit of a tournament takes again: one for each kind of event."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from msgspec import UNSET

from domain.events import Event, Recorded
from domain.events import tournament as events
from domain.tournament import entries, results, rounds, wish_rules
from domain.tournament.announcement import rate_entry
from domain.tournament.entries import correct_entry, label_entry, set_prize_pools
from domain.tournament.games import PersonOf, TableGame
from domain.tournament.notices import notify_table
from domain.tournament.publication import choose_hall_names, choose_time_zone, publish, set_schedule
from domain.tournament.ranking import order_tied
from domain.tournament.round_changes import change_round, input_of
from domain.tournament.state import EntryEvent, ResultEvent
from domain.tournament.tournament import Tournament

Decide: TypeAlias = Callable[[Sequence[TableGame], PersonOf], Event]
"""Decides about a tournament, as far as it depends on its games and on which ids are one person."""


def decision_on(now: Tournament, following: Sequence[Recorded]) -> Decide:
    event = following[0].event
    if isinstance(event, EntryEvent):
        return _of_entry(now, event, following)
    match event:
        case events.WishRecorded() | events.WishWithdrawn() | events.ClubsGrouped() | events.PresenceChecked() as wish:
            return lambda games, person_of: _of_wish(now, wish)
        case (
            events.RoundPaired()
            | events.PairingWithdrawn()
            | events.PairingChanged()
            | events.RoundClosed()
            | events.TournamentEnded()
            | events.TournamentReopened() as round
        ):
            return _of_round(now, round)
        case (
            events.ResultEntered()
            | events.ResultConfirmed()
            | events.ResultWithdrawn()
            | events.TableForfeited()
            | events.TableAdjourned()
            | events.TableNoticeSet() as result
        ):
            return lambda games, person_of: _of_result(now, result)
        case events.StandingsOrdered() as order:
            return lambda games, person_of: order_tied(now, order.entrants, order.reason, games, person_of)
        case (
            events.TournamentPublished()
            | events.PrizePoolsSet()
            | events.HallNamesSet()
            | events.TimeZoneSet()
            | events.ScheduleSet() as choice
        ):
            return lambda games, person_of: _of_choice(now, choice)
    raise ValueError(f"{type(event).__name__} follows no other event of a tournament")


def _of_choice(
    now: Tournament,
    choice: events.TournamentPublished | events.PrizePoolsSet | events.HallNamesSet | events.TimeZoneSet | events.ScheduleSet,
) -> Event:
    match choice:
        case events.TournamentPublished(publication=publication):
            return publish(now, publication)
        case events.PrizePoolsSet(funds=funds):
            return set_prize_pools(now, funds)
        case events.HallNamesSet(hall_names=hall_names):
            return choose_hall_names(now, hall_names)
        case events.TimeZoneSet(time_zone=time_zone):
            return choose_time_zone(now, time_zone)
        case events.ScheduleSet(starts=starts):
            return set_schedule(now, starts)


def _of_entry(now: Tournament, event: EntryEvent, following: Sequence[Recorded]) -> Decide:
    match event:
        case events.EntryAccepted() as one:
            return lambda games, person_of: entries.accept_entry(now, one.players, one.rating, _get_named_round(one), person_of)
        case events.EntryLabelsSet() as labelled:
            return lambda games, person_of: label_entry(now, labelled.entrant, labelled.labels)
        case events.EntryRated() as rated:
            return lambda games, person_of: rate_entry(now, rated.entrant, rated.rating)
        case events.EntryChanged() as change:
            named, back = _get_named_round(change), None if change.back_from is UNSET else change.back_from
            return lambda games, person_of: entries.change_entry(now, change.entrant, change.players, named, person_of, back)
        case events.EntryCorrected() as right:
            who = (right.entrant, right.players, right.from_round, right.back_from)
            exchange = right.exchanged is not UNSET
            return lambda games, person_of: correct_entry(now, *who, right.reason, games, person_of, exchange=exchange)
        case events.EntryWithdrawn() as left:
            return lambda games, person_of: entries.withdraw_entry(now, left.entrant, _get_named_round(left), left.reason)
        case events.EntryReturned() | events.EntryAdvanced() as back:
            players = _returning(back, following[0], following[1:])
            return lambda games, person_of: entries.return_entry(now, back.entrant, _get_named_round(back), players, person_of)[0]


def _of_wish(now: Tournament, event: events.WishRecorded | events.WishWithdrawn | events.ClubsGrouped | events.PresenceChecked) -> Event:
    match event:
        case events.WishRecorded():
            return wish_rules.record_wish(now, wish_rules.WishInput(event.kind, event.entrants, event.round, event.table))
        case events.WishWithdrawn():
            return wish_rules.withdraw_wish(now, event.wish)
        case events.ClubsGrouped():
            return wish_rules.check_groups(now, event.groups)
        case events.PresenceChecked():
            away = {one.number for one in now.entrants if one.from_round <= event.round and not one.is_present(event.round)}
            gone = {one.number for one in now.entrants if one.is_gone(event.round)}
            return wish_rules.check_presence(now, (away - gone - {*event.present}) | {*event.absent}, event.round)


def _get_named_round(
    event: events.EntryAccepted | events.EntryAdvanced | events.EntryChanged | events.EntryWithdrawn | events.EntryReturned,
) -> int | None:
    """Return the round that was named. A round that followed from an unpaired one is the same whether it is named or not."""
    return event.from_round if event.follows is UNSET else None


def _returning(
    returned: events.EntryReturned | events.EntryAdvanced, recorded: Recorded, following: Sequence[Recorded]
) -> tuple[str, ...] | None:
    """Return the players who play for the entrant from then on, if the same command named them."""
    for after in following:
        event = after.event
        same = after.stamp == recorded.stamp and isinstance(event, events.EntryChanged)
        if same and isinstance(event, events.EntryChanged) and (event.entrant, event.from_round) == (returned.entrant, returned.from_round):
            return event.players
    return None


def _of_round(
    now: Tournament,
    event: events.RoundPaired
    | events.PairingWithdrawn
    | events.PairingChanged
    | events.RoundClosed
    | events.TournamentEnded
    | events.TournamentReopened,
) -> Decide:
    match event:
        case events.RoundPaired(drawn=True):
            return lambda games, person_of: rounds.draw_round(now, games, person_of)
        case events.RoundPaired():
            tables = [rounds.GivenTable(one.table, now.parties(one.seats)) for one in event.tables]
            return lambda games, person_of: rounds.pair_by_hand(now, tables, event.byes, games, person_of)
        case events.PairingWithdrawn():
            return lambda games, person_of: rounds.withdraw_pairing(now, games, event.reason)
        case events.PairingChanged():
            draft, played = input_of(now, event), event.as_played is True
            return lambda games, person_of: change_round(now, event.round, draft, games, event.reason, person_of, as_played=played)
        case events.RoundClosed():
            return lambda games, person_of: rounds.close_round(now, games, event.round, person_of, event.checkpoint)
        case events.TournamentEnded(how="finished"):
            return lambda games, person_of: rounds.finish_tournament(now, games, event.reason)
        case events.TournamentEnded():
            return lambda games, person_of: rounds.cancel_tournament(now, event.reason)
        case events.TournamentReopened():
            return lambda games, person_of: rounds.reopen_tournament(now, event.reason)


def _of_result(now: Tournament, event: ResultEvent | events.TableNoticeSet) -> Event:
    at = (now, event.round, event.table)
    match event:
        case events.ResultEntered(side=None):
            return results.decide_result(*at, event.points, event.played_at)
        case events.ResultEntered(side=int() as side):
            return results.enter_result(*at, event.points, side)
        case events.ResultConfirmed():
            return results.confirm_result(*at, event.side)
        case events.ResultWithdrawn():
            return results.withdraw_result(*at, event.reason)
        case events.TableForfeited():
            return results.forfeit_table(*at, event.absent, event.reason)
        case events.TableAdjourned():
            return results.record_adjourned_table(*at, event.reason)
        case events.TableNoticeSet():
            return notify_table(*at, event.extra_minutes, event.called, event.calls)
    raise ValueError("no result of a table")
