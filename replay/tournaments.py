"""The audit of a tournament: every event decided again on the tournament before it, lots from the secret, drawn rounds from the seed."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias, get_args

from msgspec import UNSET
from msgspec.structs import asdict

from domain.errors import InvalidFormatError, Refused, Unknown
from domain.events import Event, Recorded
from domain.events.tournament import (
    ClubsGrouped,
    EntryAccepted,
    EntryAdvanced,
    EntryChanged,
    EntryCorrected,
    EntryLabelsSet,
    EntryRated,
    EntryReturned,
    EntryWithdrawn,
    HallNamesSet,
    LotsDrawn,
    PairingChanged,
    PairingWithdrawn,
    PresenceChecked,
    PrizePoolsSet,
    ResultConfirmed,
    ResultEntered,
    ResultWithdrawn,
    RoundClosed,
    RoundPaired,
    ScheduleSet,
    StandingsOrdered,
    TableAdjourned,
    TableForfeited,
    TableNoticeSet,
    TimeZoneSet,
    TournamentAnnounced,
    TournamentCorrected,
    TournamentEnded,
    TournamentEvent,
    TournamentPublished,
    TournamentReopened,
    WishRecorded,
    WishWithdrawn,
)
from domain.rules import Ruleset
from domain.shuffling import commitment_to_lots
from domain.time_zones import decode_time_zone
from domain.tournament import entries, results, rounds, wish_rules
from domain.tournament.announcement import AnnouncementInput, announce_tournament, correct_announcement, rate_entry
from domain.tournament.corrected_entries import correct_entry
from domain.tournament.entries import label_entry, set_prize_pools
from domain.tournament.games import PersonOf, TableGame
from domain.tournament.notices import notify_table
from domain.tournament.publication import choose_hall_names, choose_time_zone, publish, set_schedule
from domain.tournament.ranking import order_tied
from domain.tournament.round_changes import change_round, input_of
from domain.tournament.state import EntryEvent, ResultEvent
from domain.tournament.tally import Drawing, draw_lots
from domain.tournament.tournament import TOURNAMENT, Tournament, tournament_stream
from replay.audit_result import NOTHING, AuditCollector, StoredContext, StreamAudit, compare_stored_context
from replay.content import in_values, same_bytes
from replay.editions import Editions, to_client_options
from replay.streams import DecisionMismatchError, Decisions, MissingDataError, walk
from replay.table_games import RecordedContext

_Decide: TypeAlias = Callable[[Sequence[TableGame], PersonOf], Event]
"""Decides about a tournament, as far as it depends on its games and on which ids are one person."""


def audit_tournament(
    history: Sequence[Recorded],
    editions: Editions,
    beside: StoredContext = NOTHING,
    around: RecordedContext = RecordedContext(),  # noqa: B008
) -> StreamAudit:
    """Audit the whole history of one tournament, in order. Raises nothing, whatever was recorded there."""
    if not history:
        raise ValueError("an audit needs a history")
    findings, sequences = AuditCollector(), dict(zip((one.position for one in history), beside.sequences, strict=False))

    def replay_event(before: Tournament, history: Sequence[Recorded], index: int) -> Event:
        event = history[index].event
        if isinstance(event, TournamentCorrected):
            return _expect_changes(before, event, editions)
        if isinstance(event, LotsDrawn):
            return _lots(before, event, history[index : index + 3])
        return _replay_event(before, history[index : index + 2], around, sequences)

    known = walk(
        findings,
        history,
        Decisions(
            TOURNAMENT, get_args(TournamentEvent), TournamentAnnounced, lambda first: _expect_announcement(first, editions), replay_event
        ),
    )
    compare_stored_context(findings, history, beside)
    return findings.of_stream("tournament", known.plan.tournament if known else None, history[0].stream, len(history))


def _expect_announcement(first: Recorded, editions: Editions) -> Event:
    """Return the announcement, by any edition of the ruleset that makes the same of it: it does not say under which it was made."""
    plan = first.event
    assert isinstance(plan, TournamentAnnounced)
    if tournament_stream(plan.tournament) != first.stream:
        raise DecisionMismatchError(
            "stream", f"tournament {plan.tournament!r}", f"stream {tournament_stream(plan.tournament)}, not {first.stream}"
        )
    proposal, lots = _build_input(plan), plan.seed if plan.lots is UNSET else plan.lots
    attempts = [
        lambda ruleset=ruleset: announce_tournament(
            ruleset, plan.tournament, plan.title, proposal, lots, plan.hall_names, decode_time_zone(plan.time_zone)
        )
        for ruleset in _editions_of(plan, editions)
    ]
    return _first_matching(plan, attempts)


def _expect_changes(now: Tournament, plan: TournamentCorrected, editions: Editions) -> Event:
    proposal = _build_input(plan)
    attempts = [
        lambda ruleset=ruleset: correct_announcement(now, ruleset, plan.title, proposal) for ruleset in _editions_of(plan, editions)
    ]
    return _first_matching(plan, attempts)


def _editions_of(plan: TournamentAnnounced | TournamentCorrected, editions: Editions) -> list[Ruleset]:
    """Return the editions, the newest first."""
    kept = [ruleset for (key, _), ruleset in sorted(editions.items(), reverse=True) if key == plan.ruleset]
    if not kept:
        raise MissingDataError(f"no edition of {plan.ruleset} is kept here")
    return kept


def _build_input(plan: TournamentAnnounced | TournamentCorrected) -> AnnouncementInput:
    given = {name: value for name, value in asdict(plan).items() if name in AnnouncementInput.__struct_fields__}
    return AnnouncementInput(**{**given, "options": to_client_options(plan.options)})


def _first_matching(event: Event, attempts: Sequence[Callable[[], Event]]) -> Event:
    """Return the event that one of the attempts leads to, if it is this one; else that of the first attempt."""
    for attempt in attempts:
        try:
            found = attempt()
        except (Refused, InvalidFormatError, Unknown):
            continue
        if type(found) is type(event) and same_bytes(found, event):
            return found
    return attempts[0]()


def _lots(before: Tournament, event: LotsDrawn, events: Sequence[Recorded]) -> Event:
    """Return the lots that follow from the secret, the entries and the dice. Lots are drawn in the commit of a pairing, so that nobody sees
    them before it. Raises ``DecisionMismatchError``.
    """
    recorded, *following = events
    if not any(isinstance(one.event, RoundPaired) and one.stamp == recorded.stamp for one in following):
        raise DecisionMismatchError("lots", "lots by themselves", "the pairing that they were drawn for")
    secret, bound = None if event.secret is None else bytes.fromhex(event.secret), before.plan.lots
    if secret is not None and bound is not UNSET and bound.commitment != commitment_to_lots(secret):
        raise DecisionMismatchError("lots", f"commitment: {bound.commitment}", f"commitment: {commitment_to_lots(secret)}")
    found = draw_lots(before, Drawing(secret, event.dice, event.seed if secret is None else None))
    if not same_bytes(found, event):
        raise DecisionMismatchError("lots", *in_values(event, found))
    return found


def _replay_event(before: Tournament, events: Sequence[Recorded], around: RecordedContext, sequences: Mapping[int, int]) -> Event:
    recorded = events[0]
    decide = _decision(before, events)
    # Without sequences nothing is known of games and mergers, and none are given.
    sequence = sequences.get(recorded.position, 0)
    attempts = [
        lambda moment=moment: decide(around.games_at(moment), around.build_person_of(moment))
        for moment in around.list_times(sequence, recorded.stamp.at)
    ]
    found = _first_matching(recorded.event, attempts)
    if isinstance(found, RoundPaired) and found.drawn and not same_bytes(found, recorded.event):
        raise DecisionMismatchError("pairing", *in_values(recorded.event, found))
    return found


def _decision(now: Tournament, events: Sequence[Recorded]) -> _Decide:
    event = events[0].event
    if isinstance(event, EntryEvent):
        return _of_entry(now, event, events)
    match event:
        case WishRecorded() | WishWithdrawn() | ClubsGrouped() | PresenceChecked() as wish:
            return lambda games, person_of: _of_wish(now, wish)
        case RoundPaired() | PairingWithdrawn() | PairingChanged() | RoundClosed() | TournamentEnded() | TournamentReopened() as round:
            return _of_round(now, round)
        case ResultEntered() | ResultConfirmed() | ResultWithdrawn() | TableForfeited() | TableAdjourned() | TableNoticeSet() as result:
            return lambda games, person_of: _of_result(now, result)
        case StandingsOrdered() as order:
            return lambda games, person_of: order_tied(now, order.entrants, order.reason, games, person_of)
        case TournamentPublished() | PrizePoolsSet() | HallNamesSet() | TimeZoneSet() | ScheduleSet() as choice:
            return lambda games, person_of: _of_choice(now, choice)
    raise ValueError(f"{type(event).__name__} follows no other event of a tournament")


def _of_choice(now: Tournament, choice: TournamentPublished | PrizePoolsSet | HallNamesSet | TimeZoneSet | ScheduleSet) -> Event:
    match choice:
        case TournamentPublished(publication=publication):
            return publish(now, publication)
        case PrizePoolsSet(funds=funds):
            return set_prize_pools(now, funds)
        case HallNamesSet(hall_names=hall_names):
            return choose_hall_names(now, hall_names)
        case TimeZoneSet(time_zone=time_zone):
            return choose_time_zone(now, time_zone)
        case ScheduleSet(starts=starts):
            return set_schedule(now, starts)


def _of_entry(now: Tournament, event: EntryEvent, events: Sequence[Recorded]) -> _Decide:
    match event:
        case EntryAccepted() as one:
            return lambda games, person_of: entries.accept_entry(now, one.players, one.rating, _get_named_round(one), person_of)
        case EntryLabelsSet() as labelled:
            return lambda games, person_of: label_entry(now, labelled.entrant, labelled.labels)
        case EntryRated() as rated:
            return lambda games, person_of: rate_entry(now, rated.entrant, rated.rating)
        case EntryChanged() as change:
            named, back = _get_named_round(change), None if change.back_from is UNSET else change.back_from
            return lambda games, person_of: entries.change_entry(now, change.entrant, change.players, named, person_of, back)
        case EntryCorrected() as right:
            who = (right.entrant, right.players, right.from_round, right.back_from)
            exchange = right.exchanged is not UNSET
            return lambda games, person_of: correct_entry(now, *who, right.reason, games, person_of, exchange=exchange)
        case EntryWithdrawn() as left:
            return lambda games, person_of: entries.withdraw_entry(now, left.entrant, _get_named_round(left), left.reason)
        case EntryReturned() | EntryAdvanced() as back:
            players = _returning(back, events[0], events[1:])
            return lambda games, person_of: entries.return_entry(now, back.entrant, _get_named_round(back), players, person_of)[0]


def _of_wish(now: Tournament, event: WishRecorded | WishWithdrawn | ClubsGrouped | PresenceChecked) -> Event:
    match event:
        case WishRecorded():
            return wish_rules.record_wish(now, wish_rules.WishInput(event.kind, event.entrants, event.round, event.table))
        case WishWithdrawn():
            return wish_rules.withdraw_wish(now, event.wish)
        case ClubsGrouped():
            return wish_rules.check_groups(now, event.groups)
        case PresenceChecked():
            away = {one.number for one in now.entrants if one.from_round <= event.round and not one.is_present(event.round)}
            gone = {one.number for one in now.entrants if one.is_gone(event.round)}
            return wish_rules.check_presence(now, (away - gone - {*event.present}) | {*event.absent}, event.round)


def _get_named_round(event: EntryAccepted | EntryAdvanced | EntryChanged | EntryWithdrawn | EntryReturned) -> int | None:
    """Return the round that was named. A round that followed from an unpaired one is the same whether it is named or not."""
    return event.from_round if event.follows is UNSET else None


def _returning(returned: EntryReturned | EntryAdvanced, recorded: Recorded, following: Sequence[Recorded]) -> tuple[str, ...] | None:
    """Return the players who play for the entrant from then on, if the same command named them."""
    for after in following:
        event = after.event
        same = after.stamp == recorded.stamp and isinstance(event, EntryChanged)
        if same and isinstance(event, EntryChanged) and (event.entrant, event.from_round) == (returned.entrant, returned.from_round):
            return event.players
    return None


def _of_round(
    now: Tournament, event: RoundPaired | PairingWithdrawn | PairingChanged | RoundClosed | TournamentEnded | TournamentReopened
) -> _Decide:
    match event:
        case RoundPaired(drawn=True):
            return lambda games, person_of: rounds.draw_round(now, games, person_of)
        case RoundPaired():
            tables = [rounds.GivenTable(one.table, now.parties(one.seats)) for one in event.tables]
            return lambda games, person_of: rounds.pair_by_hand(now, tables, event.byes, games, person_of)
        case PairingWithdrawn():
            return lambda games, person_of: rounds.withdraw_pairing(now, games, event.reason)
        case PairingChanged():
            draft, played = input_of(now, event), event.as_played is True
            return lambda games, person_of: change_round(now, event.round, draft, games, event.reason, person_of, as_played=played)
        case RoundClosed():
            return lambda games, person_of: rounds.close_round(now, games, event.round, person_of, event.checkpoint)
        case TournamentEnded(how="finished"):
            return lambda games, person_of: rounds.finish_tournament(now, games, event.reason)
        case TournamentEnded():
            return lambda games, person_of: rounds.cancel_tournament(now, event.reason)
        case TournamentReopened():
            return lambda games, person_of: rounds.reopen_tournament(now, event.reason)


def _of_result(now: Tournament, event: ResultEvent | TableNoticeSet) -> Event:
    at = (now, event.round, event.table)
    match event:
        case ResultEntered(side=None):
            return results.decide_result(*at, event.points)
        case ResultEntered(side=int() as side):
            return results.enter_result(*at, event.points, side)
        case ResultConfirmed():
            return results.confirm_result(*at, event.side)
        case ResultWithdrawn():
            return results.withdraw_result(*at, event.reason)
        case TableForfeited():
            return results.forfeit_table(*at, event.absent, event.reason)
        case TableAdjourned():
            return results.record_adjourned_table(*at, event.reason)
        case TableNoticeSet():
            return notify_table(*at, event.extra_minutes, event.called, event.calls)
    raise ValueError("no result of a table")
