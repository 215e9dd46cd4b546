"""Warnings beside an answer: what is allowed but may not be meant, and from which round a change holds that waits for a later draw."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import assert_never

from msgspec import UNSET, Struct
from msgspec.structs import replace

from domain.effects import Plain
from domain.events import tournament as events
from domain.standings.plan import FORMATS, is_head_to_head
from domain.standings.standings import half_of_games
from domain.tournament.games import PersonOf, keep_id
from domain.tournament.pairing.swiss import Sides
from domain.tournament.pairing.tables import build_constraints, list_fixed_tables
from domain.tournament.state import EntryEvent
from domain.tournament.tournament import Tournament, after_change, after_entry


class Remark(Struct, frozen=True):
    """A warning about something that is allowed but may not be meant: a code with the details of its sentence (``remark.<code>``)."""

    code: str
    detail: dict[str, Plain]

    @property
    def entrants(self) -> tuple[int, ...]:
        """The entrants that it names."""
        named = [self.detail[name] for name in ("entrant", "entrants", "sides") if name in self.detail]
        return tuple(one for some in named for one in (some if isinstance(some, tuple) else (some,)) if isinstance(one, int))


def warn_about_entries(before: Tournament, accepted: Iterable[EntryEvent]) -> Iterator[Remark]:
    """Yield a remark for each change that does not hold from the expected next round: a round is paired already, or a later one was named.
    A return that takes a withdrawal back gets none.
    """
    for event in accepted:
        before = after_entry(before, event)
        match event:
            case events.EntryAccepted() | events.EntryAdvanced() | events.EntryReturned():
                yield from _from_when("plays", event, before, plays=True)
            case events.EntryWithdrawn():
                yield from _from_when("leaves", event, before, plays=False)
                yield from _on_half(before, event.entrant)
            case events.EntryRated() | events.EntryLabelsSet() | events.EntryChanged() | events.EntryCorrected():
                pass
            case _:
                assert_never(event)


def _on_half(after: Tournament, entrant: int) -> Iterator[Remark]:
    """Yield a remark if the entrant leaves a round robin with less than half of the games, so that none of them counts."""
    field = after.active(1)
    had = sum(entrant in table.seats for round in after.rounds for table in round.tables)
    if after.rounds and had < half_of_games(after.plan, len(field), len(after.rounds)):
        yield Remark("less_than_half", {"entrant": entrant, "games": had})


def _from_when(
    what: str,
    event: events.EntryAccepted | events.EntryAdvanced | events.EntryReturned | events.EntryWithdrawn,
    after: Tournament,
    *,
    plays: bool,
) -> Iterator[Remark]:
    detail = {"entrant": event.entrant, "round": event.from_round}
    if event.follows is UNSET:
        soonest, remark = after.next_round, Remark(f"{what}_later", {**detail, "next": after.next_round})
    else:
        soonest, remark = event.follows, Remark(f"{what}_after_pairing", {**detail, "paired": event.follows})
    if after.entrant(event.entrant).plays(soonest) != plays:
        yield remark


def warn_about_undo(before: Tournament, after: Tournament) -> tuple[Remark, ...]:
    """Return remarks on entrants who will be drawn for the round, or will not, unlike when it was paired."""
    round = after.next_round
    then, now = ({one.number for one in of.active(round)} for of in (before, after))
    return (*about_entrants("plays_now", now - then, round), *about_entrants("leaves_now", then - now, round))


def warn_about_draw(before: Tournament, round: int) -> tuple[Remark, ...]:
    """Return remarks on entrants who were not drawn because they play later; and on those drawn who are to leave after the round."""
    waiting = (one.number for one in before.entrants if one.from_round > round and not one.is_gone(one.from_round))
    leaving = (one.number for one in before.active(round) if one.until == round + 1)
    half = (one.number for one in before.entrants if round in one.half_byes and one.is_present(round))
    return (
        *about_entrants("passed_over", waiting, round),
        *about_entrants("drawn_all_the_same", leaving, round),
        *about_entrants("half_bye", half, round),
    )


def about_entrants(code: str, entrants: Iterable[int], round: int) -> Iterator[Remark]:
    """Yield a remark that names these entrants, if there are any."""
    if told := tuple(sorted(entrants)):
        yield Remark(code, {"entrants": told, "round": round})


def warn_about_end(before: Tournament) -> tuple[Remark, ...]:
    """Return a remark if rounds that were planned were not paired."""
    played, planned = len(before.rounds), before.plan.rounds
    return (Remark("rounds_left", {"played": played, "planned": planned}),) if planned is not None and played < planned else ()


def warn_about_forfeit(before: Tournament, event: events.TableForfeited) -> tuple[Remark, ...]:
    """Return a remark if an absent entrant is drawn for the next round nevertheless."""
    number, last = before.next_round, before.plan.rounds
    if before.ended or FORMATS[before.plan.format].loser_is_out or (last is not None and number > last):
        return ()
    absent = (one for one in event.absent if before.entrant(one).plays(number))
    return tuple(about_entrants("absent_drawn_again", absent, number)) if event.round == len(before.rounds) else ()


def warn_about_time_zone(before: Tournament, time_zone: str) -> tuple[Remark, ...]:
    """Return a remark that what was played keeps its days and months, if something is paired."""
    return (Remark("months_stay", {"time_zone": time_zone}),) if before.rounds else ()


def warn_about_announcement(plan: events.TournamentAnnounced) -> tuple[Remark, ...]:
    """Return a remark if entrants who come to a table where somebody is missing get less than a bye brings."""
    came, bye = plan.scoring.forfeit[0], plan.scoring.bye
    if plan.scoring.by != "points" or len(plan.parties) == 1 or came == "bye" or came >= (1 if bye == "average" else bye):
        return ()
    return (Remark("forfeit_costs_the_present", {"points": came}),)


def warn_about_change_after_draw(before: Tournament, event: events.TournamentCorrected | events.EntryRated) -> tuple[Remark, ...]:
    """Return a remark on a change of the rounds or of a rating if something is paired already."""
    if not before.rounds:
        return ()
    paired = len(before.rounds)
    if isinstance(event, events.EntryRated):
        return (Remark("rated_after_draw", {"entrant": event.entrant, "round": paired}),)
    return (Remark("rounds_after_draw", {"round": paired}),) if event.rounds != before.plan.rounds else ()


def warn_about_disputes(tables: Iterable[tuple[int, str]]) -> tuple[Remark, ...]:
    """Return a remark for each round and table at which a dispute is undecided."""
    return tuple(Remark("dispute_undecided", {"round": round, "table": table}) for round, table in dict.fromkeys(tables))


def warn_after_end(before: Tournament) -> tuple[Remark, ...]:
    """Return a remark on a change of a result if the tournament has ended."""
    return (Remark("after_the_end", {}),) if before.ended else ()


def warn_about_corrected_entry(before: Tournament, event: events.EntryCorrected) -> tuple[Remark, ...]:
    """Return a remark on entrants whose players were entered for each other, and on a rectification after the end."""
    told = () if event.exchanged is UNSET else about_entrants("exchanged", (one.entrant for one in event.line_ups), event.from_round)
    return (*told, *warn_after_end(before))


def warn_about_dispute_after_end(now: Tournament) -> tuple[Remark, ...]:
    """Return a remark on a dispute or an appeal if the tournament has ended."""
    return (Remark("disputed_after_the_end", {}),) if now.ended else ()


_OF_A_DRAW = ("passed_over", "drawn_all_the_same", "half_bye")


def warn_about_round_change(before: Tournament, change: events.PairingChanged, person_of: PersonOf = keep_id) -> tuple[Remark, ...]:
    """Return the remarks of a pairing by hand about the changed tables, and on who plays in the round now, or does not."""
    after, round = after_change(before, change), before.round(change.round)
    earlier = replace(after, rounds=after.rounds[: change.round - 1])
    byes = tuple(one for one in change.byes if one not in round.byes)
    about = (
        warn_about_pairing(earlier, events.RoundPaired(change.round, False, change.tables, byes), person_of) if not change.as_played else ()
    )
    joining = after.rounds[change.round - 1].entrants - round.entrants
    later = before.rounds[change.round :]
    return (
        *((Remark("later_draws_stay", {"round": later[-1].number}),) if later else ()),
        *(warn_after_end(before) if change.as_played else ()),
        *(one for one in about if one.code not in _OF_A_DRAW),
        *about_entrants("plays_after_all", joining, change.round),
        *about_entrants("out_now" if FORMATS[before.plan.format].loser_is_out else "not_there", change.absent, change.round),
    )


def warn_about_pairing(tournament: Tournament, paired: events.RoundPaired, person_of: PersonOf = keep_id) -> tuple[Remark, ...]:
    """Return remarks on repeated encounters, repeated byes, and persons who would play twice because two of their ids were entered."""
    met = {pair: round.number for round in tournament.rounds for table in round.tables for pair in _pairs(tournament, table.seats)}
    again = [(pair, table) for table in paired.tables for pair in _pairs(tournament, table.seats) if pair in met]
    had = {bye.entrant: bye.round for bye in tournament.byes if not bye.half}
    return (
        *(Remark("met_before", {"entrants": pair, "table": table.table, "round": met[pair]}) for pair, table in again),
        *_warn_about_sides(tournament, paired),
        *(Remark("bye_again", {"entrant": one, "round": had[one]}) for one in paired.byes if one in had),
        *_warn_about_constraints(tournament, paired),
        *warn_about_draw(tournament, paired.round),
        *(
            Remark("one_person", {"player": who, "entrants": entrants})
            for who, entrants in _find_duplicate_players(tournament, paired.round, person_of)
        ),
    )


def _warn_about_constraints(tournament: Tournament, paired: events.RoundPaired) -> Iterator[Remark]:
    """Yield a remark for each wish that these tables do not keep."""
    at = {entrant: table.table for table in paired.tables for entrant in table.seats}
    wishes = build_constraints(tournament.wishes, tournament.clubs, paired.round)
    for pair in sorted(map(sorted, wishes.pair_exclusions)):
        if len(together := {at.get(one) for one in pair}) == 1 and (table := together.pop()):
            yield Remark("not_apart", {"entrants": tuple(pair), "table": table})
    for two in wishes.meet:
        if len({at.get(one) for one in two}) > 1:
            yield Remark("not_met", {"entrants": two, "round": paired.round})
    for entrant, name in list_fixed_tables(tournament.wishes, paired.round).items():
        if at.get(entrant, name) != name:
            yield Remark("other_table", {"entrant": entrant, "table": at[entrant], "fixed": name})


def warn_about_wish(tournament: Tournament, wish: events.WishRecorded) -> tuple[Remark, ...]:
    """Return a remark on a wish that the draws of this format do not heed."""
    rule = FORMATS[tournament.plan.format]
    fixed = rule.loser_is_out or (rule.all_meet and is_head_to_head(tournament.plan))
    unheeded = wish.kind in ("apart", "meet") and (fixed or tournament.plan.format == "manual")
    return (Remark("wish_unheeded", {"format": tournament.plan.format}),) if unheeded else ()


def warn_about_presence(checked: events.PresenceChecked) -> tuple[Remark, ...]:
    """Return remarks on who is not drawn for the round, and who is after all."""
    return (*about_entrants("absent", checked.absent, checked.round), *about_entrants("present", checked.present, checked.round))


def _warn_about_sides(tournament: Tournament, paired: events.RoundPaired) -> Iterator[Remark]:
    """Yield a remark for each entrant who is seated by hand on a side that they have had too often, where two meet."""
    if paired.drawn or len(tournament.plan.parties) != 2 or tournament.plan.entrants == "players":
        return
    had: defaultdict[int, tuple[int, ...]] = defaultdict(tuple)
    for seats in (table.seats for round in tournament.rounds for table in round.tables if not table.absent):
        for (entrant,), side in zip(tournament.parties(seats), (1, -1), strict=True):
            had[entrant] = (*had[entrant], side)
    for table in paired.tables:
        for (entrant,), side in zip(tournament.parties(table.seats), (1, -1), strict=True):
            if Sides(had[entrant]).next_side == -side:
                yield Remark("first_again" if side > 0 else "second_again", {"entrant": entrant, "table": table.table})


def _find_duplicate_players(tournament: Tournament, round: int, person_of: PersonOf) -> Iterator[tuple[str, tuple[int, ...]]]:
    entered: defaultdict[str, list[int]] = defaultdict(list)
    for entrant in tournament.active(round):
        for player in entrant.players(round):
            entered[person_of(player)].append(entrant.number)
    return ((who, tuple(dict.fromkeys(entrants))) for who, entrants in entered.items() if len(entrants) > 1)


def _pairs(tournament: Tournament, seats: tuple[int, ...]) -> Iterator[tuple[int, int]]:
    """Yield every entrant with each of their opponents, the smaller number first."""
    parties = tournament.parties(seats)
    for number, party in enumerate(parties):
        yield from ((min(one, other), max(one, other)) for later in parties[number + 1 :] for one in party for other in later)
