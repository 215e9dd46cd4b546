"""The audit of a tournament: every event decided again on the tournament before it, lots from the secret, drawn rounds from the seed."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, get_args

from msgspec import UNSET
from msgspec.structs import asdict

from domain.errors import InvalidFormatError, Refused, Unknown
from domain.events import Event, Recorded
from domain.events.tournament import LotsDrawn, RoundPaired, TournamentAnnounced, TournamentCorrected, TournamentEvent
from domain.rules import Ruleset
from domain.shuffling import commitment_to_lots
from domain.time_zones import decode_time_zone
from domain.tournament.announcement import AnnouncementInput, announce_tournament, correct_announcement
from domain.tournament.imports import announce_import
from domain.tournament.tally import Drawing, draw_lots
from domain.tournament.tournament import TOURNAMENT, Tournament, tournament_stream
from replay.audit_result import NOTHING, AuditCollector, StoredContext, StreamAudit, compare_stored_context
from replay.content import in_values, same_bytes
from replay.editions import Editions, to_client_options
from replay.streams import DecisionMismatchError, Decisions, MissingDataError, walk
from replay.table_games import RecordedContext
from replay.tournament_decisions import decision_on


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
    announce = _repeat_import if plan.imported else _repeat_announcement
    return _first_matching(plan, [partial(announce, plan, ruleset) for ruleset in _editions_of(plan, editions)])


def _repeat_announcement(plan: TournamentAnnounced, ruleset: Ruleset) -> Event:
    proposal, lots = _build_input(plan), plan.seed if plan.lots is UNSET else plan.lots
    return announce_tournament(ruleset, plan.tournament, plan.title, proposal, lots, plan.hall_names, decode_time_zone(plan.time_zone))


def _repeat_import(plan: TournamentAnnounced, ruleset: Ruleset) -> Event:
    return announce_import(
        ruleset,
        plan.tournament,
        plan.title,
        plan.seed,
        plan.parties,
        rounds=plan.rounds,
        smaller_tables=plan.smaller_tables,
        time_zone=decode_time_zone(plan.time_zone),
    )


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
    given: dict[str, Any] = {name: value for name, value in asdict(plan).items() if name in AnnouncementInput.__struct_fields__}
    given["options"] = to_client_options(plan.options)
    return AnnouncementInput(**given)


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
    decide = decision_on(before, events)
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
