"""The parts of a tournament and how events change them: entrants with their line-ups, rounds with their tables."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import TypeAlias

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from domain.events import tournament as events
from domain.tournament.line_ups import LineUp, LineUps, correct_line_ups, players_in, regulars_in


class SkippedRounds(Struct, frozen=True):
    """Rounds that an entrant sits out: from one to the one before their return, which is ``None`` if they have withdrawn."""

    from_round: int
    back_from: int | None = None

    def has(self, round: int) -> bool:
        return self.from_round <= round and (self.back_from is None or round < self.back_from)


class Entrant(Struct, frozen=True):
    """An entrant. ``absences`` stand in the order in which they were announced; at most one is without a return. ``half_byes``: the rounds
    for which they asked for a half-point bye.
    """

    number: int
    from_round: int
    line_ups: LineUps
    rating: int | None = None
    absences: tuple[SkippedRounds, ...] = ()
    half_byes: tuple[int, ...] = ()
    labels: events.Labels = events.Labels()

    @property
    def until(self) -> int | None:
        """The first round in which a withdrawn entrant does not play; ``None`` for one who plays, or is to return."""
        return next((absence.from_round for absence in self.absences if absence.back_from is None), None)

    def is_present(self, round: int) -> bool:
        return self.from_round <= round and not any(absence.has(round) for absence in self.absences)

    def plays(self, round: int) -> bool:
        """Return whether the entrant is to be paired in a round."""
        return round not in self.half_byes and self.is_present(round)

    def is_gone(self, round: int) -> bool:
        """Return whether the entrant plays neither in this round nor in any after it, as far as is known."""
        return self.until is not None and self.until <= round

    def players(self, round: int) -> tuple[str, ...]:
        """Return the players who stand for the entrant in a round."""
        return players_in(self.line_ups, round)

    def regulars(self, round: int) -> tuple[str, ...]:
        """Return the players of a round, apart from substitutes for some rounds."""
        return regulars_in(self.line_ups, round)

    @property
    def latest(self) -> LineUp:
        """The line-up that was named last, apart from substitutes for some rounds."""
        return next((one for one in reversed(self.line_ups) if one.back_from is None), self.line_ups[0])

    @property
    def all_players(self) -> frozenset[str]:
        """All players who ever stood for the entrant: a substitute may have come between two games of a table."""
        return frozenset(player for line_up in self.line_ups for player in line_up.players)


class Wish(Struct, frozen=True):
    """A wish about a draw. ``round``: the only round that it is about; ``None`` for every round."""

    number: int
    kind: events.WishKind
    entrants: tuple[int, ...]
    round: int | None = None
    table: str | None = None
    withdrawn: bool = False

    def covers(self, round: int) -> bool:
        return not self.withdrawn and self.round in (None, round)


def apply_wish(wishes: tuple[Wish, ...], event: events.WishRecorded | events.WishWithdrawn) -> tuple[Wish, ...]:
    match event:
        case events.WishRecorded():
            wish = Wish(event.wish, event.kind, event.entrants, event.round, event.table)
            return (*wishes, wish) if event.wish == len(wishes) + 1 else wishes
        case events.WishWithdrawn():
            return tuple(replace(one, withdrawn=True) if one.number == event.wish else one for one in wishes)


def set_half_byes(entrants: Iterable[Entrant], wishes: Iterable[Wish]) -> tuple[Entrant, ...]:
    """Return the entrants with the half-point byes that stand among the wishes."""
    rounds: defaultdict[int, tuple[int, ...]] = defaultdict(tuple)
    for wish in wishes:
        if wish.kind == "half_bye" and not wish.withdrawn and wish.round is not None:
            for entrant in wish.entrants:
                rounds[entrant] = (*rounds[entrant], wish.round)
    return tuple(replace(one, half_byes=rounds[one.number]) for one in entrants)


class EnteredResult(Struct, frozen=True):
    """Points of each party that were entered by hand. ``sides``: the entrants who entered or confirmed them; none for the director."""

    points: tuple[int, ...]
    sides: tuple[int, ...] = ()


class RoundTable(Struct, frozen=True):
    """A table of a round: the entrant on each seat, and what was entered about it. ``replaced``: results of sides that later ones replaced,
    the oldest first. ``extra_minutes``: beyond the time of the round. ``called``: the director waits for its players.
    ``calls``: they wait for the director.
    """

    name: str
    seats: tuple[int, ...]
    entered: EnteredResult | None = None
    absent: tuple[int, ...] = ()
    adjourned: bool = False
    replaced: tuple[EnteredResult, ...] = ()
    extra_minutes: int = 0
    called: bool = False
    calls: bool = False


class Round(Struct, frozen=True):
    """A round. ``checkpoint``: of the log, as the closing named it. ``former``: the change that would take back the last one. ``late``:
    entrants who were seated after the draw, with the later round in which they were to begin; and in which, if this one is unpaired.
    """

    number: int
    drawn: bool
    tables: tuple[RoundTable, ...]
    byes: tuple[int, ...]
    closed: bool = False
    checkpoint: events.Naming = UNSET
    third_place: str | UnsetType = UNSET
    former: events.PairingChanged | None = None
    late: tuple[tuple[int, int, int], ...] = ()

    @property
    def entrants(self) -> frozenset[int]:
        """The entrants who have a table or a bye."""
        return frozenset([*self.byes, *(entrant for table in self.tables for entrant in table.seats)])

    @property
    def bracket_entrants(self) -> frozenset[int]:
        """The entrants, without those who only play for the third place of a knock-out."""
        third = self.table(self.third_place) if self.third_place else None
        return self.entrants - frozenset(third.seats if third else ())

    def table(self, name: str) -> RoundTable | None:
        return next((table for table in self.tables if table.name == name), None)


EntryEvent: TypeAlias = (
    events.EntryAccepted
    | events.EntryRated
    | events.EntryLabelsSet
    | events.EntryAdvanced
    | events.EntryChanged
    | events.EntryCorrected
    | events.EntryWithdrawn
    | events.EntryReturned
)


def entries_after(entrants: tuple[Entrant, ...], event: EntryEvent) -> tuple[Entrant, ...]:
    match event:
        case events.EntryAccepted():
            entrant = Entrant(event.entrant, event.from_round, (LineUp(event.from_round, event.players),), event.rating)
            return (*entrants, entrant) if event.entrant == len(entrants) + 1 else entrants
        case events.EntryLabelsSet():
            return tuple(replace(one, labels=event.labels) if one.number == event.entrant else one for one in entrants)
        case events.EntryRated():
            return tuple(replace(one, rating=event.rating) if one.number == event.entrant else one for one in entrants)
        case events.EntryAdvanced():
            return tuple(_advance_entrant(one, event.from_round) if one.number == event.entrant else one for one in entrants)
        case events.EntryChanged():
            line_up = LineUp(event.from_round, event.players, None if event.back_from is UNSET else event.back_from)
            return tuple(_add_line_up(one, line_up) if one.number == event.entrant else one for one in entrants)
        case events.EntryCorrected():
            return tuple(_correct_entry(one, event) for one in entrants)
        case events.EntryWithdrawn():
            return tuple(_leaving(one, event.from_round) if one.number == event.entrant else one for one in entrants)
        case events.EntryReturned():
            return tuple(_returning(one, event.from_round) if one.number == event.entrant else one for one in entrants)


def shift_entry_event(event: EntryEvent, round: int | None) -> EntryEvent:
    """Return the event as it holds if this round, the one in play, is unpaired."""
    if round is None or isinstance(event, events.EntryRated | events.EntryLabelsSet | events.EntryCorrected) or event.follows != round:
        return event
    if isinstance(event, events.EntryChanged) and event.back_from is not UNSET:
        return replace(event, from_round=round, back_from=event.back_from - (event.from_round - round))
    return replace(event, from_round=round)


def _add_line_up(one: Entrant, line_up: LineUp) -> Entrant:
    return replace(one, line_ups=(*one.line_ups, line_up))


def _correct_entry(one: Entrant, event: events.EntryCorrected) -> Entrant:
    found = next((line_up for line_up in event.line_ups if line_up.entrant == one.number), None)
    if found is None:
        return one
    return replace(one, line_ups=correct_line_ups(one.line_ups, found.players, found.from_round, event.back_from))


def delay_start(one: Entrant, late: Mapping[int, int]) -> Entrant:
    """Return the entrant as one who begins in a later round again, if ``late`` has that round."""
    return _advance_entrant(one, late[one.number]) if one.number in late else one


def _advance_entrant(one: Entrant, round: int) -> Entrant:
    first, *others = one.line_ups
    return replace(one, from_round=round, line_ups=(replace(first, from_round=round), *others))


def _leaving(one: Entrant, round: int) -> Entrant:
    """Join the withdrawal with an absence that covers this round, or ends with it, so that absences never overlap."""
    if one.until is not None:
        return one
    going_on = [absence for absence in one.absences if absence.has(round) or absence.back_from == round]
    others = tuple(absence for absence in one.absences if absence not in going_on)
    return replace(one, absences=(*others, SkippedRounds(min([round, *(absence.from_round for absence in going_on)]))))


def _returning(one: Entrant, round: int) -> Entrant:
    """End the withdrawal. One that is taken back before its first round leaves no trace."""
    closed = tuple(absence if absence.back_from is not None else SkippedRounds(absence.from_round, round) for absence in one.absences)
    return replace(one, absences=tuple(absence for absence in closed if absence.has(absence.from_round)))


def list_joining(entrants: tuple[Entrant, ...], change: events.PairingChanged) -> tuple[int, ...]:
    """Return the entrants who were not to play in the round, and do so after the change."""
    seated = {*change.byes, *(entrant for table in change.tables for entrant in table.seats)}
    return tuple(one.number for one in entrants if one.number in seated and not one.plays(change.round))


def join_round(one: Entrant, round: int) -> Entrant:
    """Return the entrant as one who plays in this round, and not later or after an absence only."""
    if one.from_round > round:
        return _advance_entrant(one, round)
    ended = (SkippedRounds(gap.from_round, round) if gap.has(round) else gap for gap in one.absences)
    return replace(one, absences=tuple(gap for gap in ended if gap.has(gap.from_round)))


def skip_round(one: Entrant, round: int) -> Entrant:
    """Return the entrant as one who does not play in this round. One who is to leave after it leaves before it."""
    if not one.plays(round):
        return one
    if one.until is None:
        return _returning(_leaving(one, round), round + 1)
    skipped = SkippedRounds(round, None if one.until == round + 1 else round + 1)
    return replace(one, absences=(*(gap for gap in one.absences if gap.from_round != round + 1), skipped))


def take_presence(one: Entrant, round: int, present: Collection[int], absent: Collection[int]) -> Entrant:
    """Return the entrant as one who plays in this round if they are among the ``present``, and does not if among the ``absent``."""
    if one.number in present:
        return join_round(one, round)
    return skip_round(one, round) if one.number in absent else one


RoundEvent: TypeAlias = events.RoundPaired | events.PairingWithdrawn | events.PairingChanged | events.RoundClosed


def rounds_after(rounds: tuple[Round, ...], event: RoundEvent) -> tuple[Round, ...]:
    match event:
        case events.RoundPaired():
            tables = tuple(RoundTable(one.table, one.seats) for one in event.tables)
            paired = Round(event.round, event.drawn, tables, event.byes, third_place=event.third_place)
            return (*rounds, paired) if event.round == len(rounds) + 1 else rounds
        case events.PairingWithdrawn():
            return rounds[: event.round - 1]
        case events.PairingChanged():
            return tuple(_after_change(one, event) if one.number == event.round else one for one in rounds)
        case events.RoundClosed():
            return tuple(replace(one, closed=True, checkpoint=event.checkpoint) if one.number == event.round else one for one in rounds)


def _after_change(round: Round, event: events.PairingChanged) -> Round:
    given = {one.table: one.seats for one in event.tables}
    tables = [_replace_seats(one, given.get(one.name, one.seats)) for one in round.tables if one.name not in event.dissolved]
    for name in (name for name in given if round.table(name) is None):
        place = next((place for place, one in enumerate(tables) if table_order(one.name) > table_order(name)), len(tables))
        tables.insert(place, RoundTable(name, given[name]))
    after = replace(round, tables=tuple(tables), byes=event.byes)
    return replace(after, former=_invert_change(round, after, event))


def _replace_seats(table: RoundTable, seats: tuple[int, ...]) -> RoundTable:
    """Return the table with other entrants. Entered results stay at their seats: those who sit there now stand for them."""
    there = dict(zip(table.seats, seats, strict=False))
    said = (replace(one, sides=tuple(there.get(side, side) for side in one.sides)) for one in table.replaced)
    last = table.entered and replace(table.entered, sides=tuple(there.get(side, side) for side in table.entered.sides))
    return replace(table, seats=seats, entered=last, replaced=tuple(said))


def table_order(name: str) -> tuple[int, str]:
    """Return the key by which tables stand in order: 2 before 10."""
    return len(name) if name.isdecimal() else 99, name


def _invert_change(before: Round, after: Round, event: events.PairingChanged) -> events.PairingChanged:
    named = (*event.dissolved, *(one.table for one in event.tables))
    tables = tuple(events.Seating(one.name, one.seats) for one in before.tables if one.name in named)
    made = tuple(one.table for one in event.tables if before.table(one.table) is None)
    return events.PairingChanged(before.number, tables, made, before.byes, tuple(sorted(after.entrants - before.entrants)), None)


ResultEvent: TypeAlias = (
    events.ResultEntered | events.ResultConfirmed | events.ResultWithdrawn | events.TableForfeited | events.TableAdjourned
)


def round_after(round: Round, event: ResultEvent | events.TableNoticeSet) -> Round:
    if round.number != event.round:
        return round
    return replace(round, tables=tuple(_table_after(table, event) if table.name == event.table else table for table in round.tables))


def _table_after(table: RoundTable, event: ResultEvent | events.TableNoticeSet) -> RoundTable:
    match event:
        case events.ResultEntered(points=points, side=side):
            if side is None:
                return RoundTable(table.name, table.seats, EnteredResult(points))
            replaced = (*table.replaced, table.entered) if table.entered else table.replaced
            return replace(table, entered=EnteredResult(points, (side, *(event.agreed or ()))), replaced=replaced)
        case events.ResultConfirmed(side=side):
            entered = table.entered
            return table if entered is None else replace(table, entered=replace(entered, sides=(*entered.sides, side)))
        case events.ResultWithdrawn():
            return RoundTable(table.name, table.seats)
        case events.TableForfeited(absent=absent):
            return RoundTable(table.name, table.seats, None, absent)
        case events.TableAdjourned():
            return replace(table, adjourned=True)
        case events.TableNoticeSet():
            return replace(table, extra_minutes=event.extra_minutes, called=event.called, calls=event.calls)
