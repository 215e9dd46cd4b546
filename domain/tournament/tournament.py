"""The Tournament aggregate and its fold. The modules beside it decide which events may follow: entries, rounds, results.

Results of recorded games are not part of it: they are read from the games, so that a late ruling needs no second event.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import TypeAlias
from uuid import UUID, uuid5

from msgspec import UNSET, Struct
from msgspec.structs import asdict, replace

from domain.errors import DataIntegrityError, Refused, Unknown
from domain.events import AggregateType, Recorded
from domain.events import tournament as events
from domain.events.base import Unreadable
from domain.standings.plan import Bye, PairingRules
from domain.standings.prize_pools import PrizePool
from domain.time_zones import UTC_ZONE, decode_time_zone
from domain.tournament import state

_STREAMS = UUID("5b7c1f6e-2f0a-4a57-9d3e-6f1d0c8e4b21")
"""The namespace of the ids of streams. Never to be changed: the streams of all tournaments follow from it."""


def tournament_stream(tournament: str) -> UUID:
    """Return the stream of the tournament with this id, which its games carry."""
    return uuid5(_STREAMS, tournament)


DrawEvent: TypeAlias = events.LotsDrawn | events.WishRecorded | events.WishWithdrawn | events.ClubsGrouped | events.PresenceChecked
"""The events that the next draw depends on, besides entries."""


class Tournament(Struct, frozen=True):
    """A tournament, folded from its events. ``position`` is that of its last event, ``last`` the stored bytes of that event.

    ``if_unpaired`` are the entrants as they would be had the round in play not been paired. ``lots``: how they were drawn, where the seed
    was not announced; then ``plan`` has the seed from there on. ``unpaired`` counts the pairings that were taken back. ``hall_names`` is
    None where none were chosen yet, as in tournaments of earlier versions.

    ``orders`` are those of entrants who stand equal. ``clubs`` are the groups of entrants who shared a club at the last draw that kept
    clubs apart.

    ``round_changed_at`` is when a round was last paired, unpaired or closed; ``ended_at`` when the end was recorded, or the last day of an
    imported tournament.
    """

    id: UUID
    position: int
    last: bytes
    plan: events.TournamentAnnounced
    entrants: tuple[state.Entrant, ...] = ()
    rounds: tuple[state.Round, ...] = ()
    ended: events.TournamentEnded | None = None
    bound: bool = False
    if_unpaired: tuple[state.Entrant, ...] = ()
    publication: events.Publication = "no"
    hall_names: events.HallNames | None = None
    time_zone: str = UTC_ZONE
    starts: tuple[str, ...] = ()
    lots: events.LotsDrawn | None = None
    unpaired: int = 0
    orders: tuple[tuple[int, ...], ...] = ()
    funds: tuple[PrizePool, ...] = ()
    round_changed_at: datetime | None = None
    ended_at: datetime | None = None
    wishes: tuple[state.Wish, ...] = ()
    clubs: tuple[tuple[int, ...], ...] = ()

    @property
    def version(self) -> int:
        """The position, under the name that eventsourcing's repository uses."""
        return self.position

    @property
    def next_round(self) -> int:
        """The number of the round that would be paired next."""
        return len(self.rounds) + 1

    @property
    def open_round(self) -> int | None:
        """The round in play: paired, and not closed."""
        return self.rounds[-1].number if self.rounds and not self.rounds[-1].closed else None

    @property
    def rules(self) -> PairingRules:
        """The rules of the draw."""
        return self.plan.pairing or PairingRules()

    @property
    def byes(self) -> tuple[Bye, ...]:
        """The byes of the rounds that were paired, and the half-point byes."""
        full = (Bye(round.number, entrant) for round in self.rounds for entrant in round.byes)
        half = (Bye(round.number, entrant, half=True) for round in self.rounds for entrant in self.half_byes(round))
        return (*full, *half)

    def half_byes(self, round: state.Round) -> tuple[int, ...]:
        """Return the entrants with a half-point bye in a paired round: on request, or for the last round that a late entrant missed."""
        seated = round.entrants
        return tuple(one.number for one in self.entrants if one.number not in seated and self._has_half_bye(one, round.number))

    def _has_half_bye(self, one: state.Entrant, round: int) -> bool:
        late = self.rules.late and one.from_round == round + 1 and one.plays(one.from_round) and not one.half_byes
        return bool(late) or (round in one.half_byes and one.is_present(round))

    def entrant(self, number: int) -> state.Entrant:
        """Return the entrant. Raises ``Unknown``."""
        if not 1 <= number <= len(self.entrants):
            raise Unknown("entrant", number)
        return self.entrants[number - 1]

    def round(self, number: int) -> state.Round:
        """Return the round. Raises ``Unknown``."""
        if not 1 <= number <= len(self.rounds):
            raise Unknown("round", number)
        return self.rounds[number - 1]

    def table(self, round: int, name: str) -> state.RoundTable:
        """Return the table. Raises ``Unknown``."""
        found = self.round(round).table(name)
        if found is None:
            raise Unknown("table", name)
        return found

    def last_round_at(self, name: str) -> state.Round:
        """Return the newest round for which the table was paired. Raises ``Unknown``."""
        for round in reversed(self.rounds):
            if round.table(name) is not None:
                return round
        raise Unknown("table", name)

    def active(self, round: int) -> tuple[state.Entrant, ...]:
        """Return the entrants who are to be paired in a round, or were: a director may have seated some who asked for a half-point bye."""
        seated = next((one.entrants for one in self.rounds if one.number == round), frozenset())
        return tuple(one for one in self.entrants if one.plays(round) or (one.number in seated and one.is_present(round)))

    def party_seats(self, seats: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
        """Return the seats of each party at a table, which may be a smaller one."""
        return tuple(party for party in self.plan.parties if max(party) < len(seats)) if self.plan.smaller_tables else self.plan.parties

    def parties(self, seats: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
        """Return the entrants of each party at a table, in the order of the seats; a partnership once."""
        return tuple(tuple(dict.fromkeys(seats[seat] for seat in party)) for party in self.party_seats(seats))

    def players(self, round: int, seats: tuple[int, ...]) -> tuple[str, ...]:
        """Return the player on each seat of a table. The players of a partnership take its seats in order."""
        seated = []
        for seat, number in enumerate(seats):
            players = self.entrant(number).players(round)
            seated.append(players[seats[:seat].count(number) % len(players)])
        return tuple(seated)

    def check_open(self) -> None:
        if self.ended:
            raise Refused("tournament_ended")

    def check_not_paired(self) -> None:
        """Raise ``Refused`` once a round is paired: announcement and ratings hold from the first draw on."""
        self.check_open()
        if self.rounds:
            raise Refused("announcement_holds", round=len(self.rounds))


def fold_event(tournament: Tournament | None, recorded: Recorded) -> Tournament:
    """Return the tournament after one more event. Raises ``DataIntegrityError`` if the first event cannot be read; total otherwise: an
    event that names an entrant or a table that is not there (damaged history) is passed over.
    """
    event = recorded.event
    if tournament is None:
        if not isinstance(event, events.TournamentAnnounced):
            raise DataIntegrityError(recorded.stream, recorded.position, "the announcement of the tournament cannot be read")
        return _announce(recorded, event)
    tournament = replace(tournament, position=recorded.position, last=recorded.state)
    if not isinstance(event, events.TournamentEvent) or isinstance(event, events.TournamentAnnounced):
        return tournament
    if isinstance(event, events.TournamentCorrected):
        return replace(tournament, plan=replace(tournament.plan, **asdict(event)))
    if isinstance(event, state.EntryEvent):
        otherwise = state.entries_after(tournament.if_unpaired, state.shift_entry_event(event, tournament.open_round))
        return replace(tournament, entrants=state.entries_after(tournament.entrants, event), if_unpaired=otherwise)
    if isinstance(event, DrawEvent):
        return _before_draw(tournament, event)
    if isinstance(event, state.RoundEvent):
        return replace(_with_round(tournament, event), round_changed_at=recorded.stamp.at)
    if isinstance(event, state.ResultEvent | events.TableNoticeSet):
        return after_result(tournament, event)
    if isinstance(
        event,
        events.TournamentPublished
        | events.HallNamesSet
        | events.TimeZoneSet
        | events.ScheduleSet
        | events.StandingsOrdered
        | events.PrizePoolsSet,
    ):
        return _with_choice(tournament, event)
    last: events.TournamentEnded | events.TournamentReopened = (
        event  # checked by the annotation: an event type forgotten above is a type error
    )
    ended = last if isinstance(last, events.TournamentEnded) else None
    at = (recorded.stamp.happened_at if tournament.plan.imported else None) or recorded.stamp.at
    return replace(tournament, ended=ended, ended_at=at if ended else None)


def _before_draw(tournament: Tournament, event: DrawEvent) -> Tournament:
    match event:
        case events.LotsDrawn():
            return after_lots(tournament, event)
        case events.WishRecorded() | events.WishWithdrawn():
            return after_wish(tournament, event)
        case events.ClubsGrouped():
            return after_clubs(tournament, [event])
        case events.PresenceChecked():
            return after_presence(tournament, event)


def _announce(recorded: Recorded, plan: events.TournamentAnnounced) -> Tournament:
    hall_names = None if plan.hall_names is UNSET else plan.hall_names
    return Tournament(
        recorded.stream,
        recorded.position,
        recorded.state,
        plan,
        bound=recorded.link is not None,
        hall_names=hall_names,
        time_zone=decode_time_zone(plan.time_zone),
    )


def _with_choice(
    tournament: Tournament,
    event: events.TournamentPublished
    | events.HallNamesSet
    | events.TimeZoneSet
    | events.ScheduleSet
    | events.StandingsOrdered
    | events.PrizePoolsSet,
) -> Tournament:
    if isinstance(event, events.StandingsOrdered):
        others = tuple(order for order in tournament.orders if not {*order} & {*event.entrants})
        return replace(tournament, orders=(*others, event.entrants))
    return replace(tournament, **asdict(event))


def _with_round(tournament: Tournament, event: state.RoundEvent) -> Tournament:
    if isinstance(event, events.PairingChanged):
        return after_change(tournament, event)
    taken_back = isinstance(event, events.PairingWithdrawn)
    entrants = tournament.if_unpaired if taken_back else tournament.entrants
    rounds, unpaired = state.rounds_after(tournament.rounds, event), tournament.unpaired + taken_back
    return replace(tournament, rounds=rounds, entrants=entrants, if_unpaired=entrants, unpaired=unpaired)


def after_lots(tournament: Tournament, drawn: events.LotsDrawn) -> Tournament:
    """Return the tournament with its lots drawn, so that the round can be paired for which they are drawn."""
    return replace(tournament, lots=drawn, plan=replace(tournament.plan, seed=drawn.seed))


def after_entry(tournament: Tournament, entry: state.EntryEvent) -> Tournament:
    """Return the tournament with an entry that is not recorded yet, or a change to one, so that the next can be judged."""
    return replace(tournament, entrants=state.entries_after(tournament.entrants, entry))


def after_change(tournament: Tournament, change: events.PairingChanged) -> Tournament:
    """Return the tournament with a change of its round in play, also if it is not recorded yet. A late entrant who was seated and is not
    to play in it after all is late again.
    """
    joining = state.list_joining(tournament.entrants, change)
    late = [one for round in tournament.rounds if round.number == change.round for one in round.late]
    back = [one for one in late if one[0] in change.absent]
    asked = {one.number for one in tournament.entrants if change.round in one.half_byes}  # the half-point bye is back
    absent = tuple(one for one in change.absent if one not in asked | {entrant for entrant, *_ in back})
    after = after_presence(tournament, events.PresenceChecked(change.round, absent, joining))
    entrants = tuple(state.delay_start(one, {entrant: first for entrant, first, _ in back}) for one in after.entrants)
    otherwise = tuple(state.delay_start(one, {entrant: first for entrant, _, first in back}) for one in after.if_unpaired)
    both = zip(tournament.entrants, tournament.if_unpaired, strict=False)
    late += [(one.number, one.from_round, two.from_round) for one, two in both if one.number in joining and one.from_round > change.round]
    kept = tuple(one for one in late if one not in back)
    rounds = tuple(replace(one, late=kept) if one.number == change.round else one for one in state.rounds_after(tournament.rounds, change))
    return replace(after, entrants=entrants, if_unpaired=otherwise, rounds=rounds)


def after_presence(tournament: Tournament, checked: events.PresenceChecked) -> Tournament:
    """Return the tournament with the presence of entrants in a round."""
    entrants, otherwise = (
        tuple(state.take_presence(one, checked.round, checked.present, checked.absent) for one in some)
        for some in (tournament.entrants, tournament.if_unpaired)
    )
    return replace(tournament, entrants=entrants, if_unpaired=otherwise)


def after_wish(tournament: Tournament, event: events.WishRecorded | events.WishWithdrawn) -> Tournament:
    """Return the tournament with a wish, or without one."""
    wishes = state.apply_wish(tournament.wishes, event)
    entrants, otherwise = (state.set_half_byes(some, wishes) for some in (tournament.entrants, tournament.if_unpaired))
    return replace(tournament, wishes=wishes, entrants=entrants, if_unpaired=otherwise)


def after_clubs(tournament: Tournament, grouped: Iterable[events.ClubsGrouped]) -> Tournament:
    """Return the tournament with the clubs as a draw found them."""
    return replace(tournament, clubs=next((one.groups for one in grouped), tournament.clubs))


def after_result(tournament: Tournament, result: state.ResultEvent | events.TableNoticeSet) -> Tournament:
    """Return the tournament with a result or a notice that is not recorded yet."""
    return replace(tournament, rounds=tuple(state.round_after(round, result) for round in tournament.rounds))


def project(tournament: Tournament | None, history: Iterable[Recorded]) -> Tournament | None:
    """Fold a whole history, or continue from a tournament; ``None`` where there is no event, or they are those of something else."""
    for recorded in history:
        if tournament is None and not isinstance(recorded.event, events.TournamentEvent | Unreadable):
            return None
        tournament = fold_event(tournament, recorded)
    return tournament


TOURNAMENT = AggregateType("tournament", Tournament, project)
