"""Corrections of an announcement, and of ratings, until something is paired; later only of rounds, of who enters results, and of ratings.

The id of a tournament never changes, because games name it. Nor does the seed, or the commitment to which its lots are bound: so lots
cannot be drawn again until they suit somebody.
"""

from msgspec import UNSET
from msgspec.structs import asdict, replace

from domain.errors import Refused
from domain.events.base import TextRef
from domain.events.tournament import EntryRated, TournamentAnnounced, TournamentCorrected
from domain.rules import Ruleset
from domain.standings.plan import FORMATS, players_per_entry
from domain.time_zones import decode_time_zone
from domain.tournament.announcement import AnnouncementInput, announce_tournament
from domain.tournament.tournament import Tournament


def correct_announcement(
    tournament: Tournament, ruleset: Ruleset, title: TextRef | None, proposal: AnnouncementInput
) -> TournamentCorrected:
    """Return the correction. ``proposal`` is the whole announcement as it is to be. Raises ``Refused``: of the ruleset and the format, too,
    and if an entry does not fit the new announcement. Once something is paired, only the number of rounds and who enters
    results may differ.
    """
    tournament.check_open()
    old = tournament.plan
    lots = old.seed if old.lots is UNSET else old.lots
    plan = announce_tournament(ruleset, old.tournament, title, proposal, lots, old.hall_names, decode_time_zone(old.time_zone))
    if tournament.rounds:
        plan = _change_paired(tournament, plan)
    if replace(plan, seed=old.seed) == old:
        raise Refused("nothing_corrected")
    _check_entries(tournament, plan)
    values = asdict(plan)
    return TournamentCorrected(**{name: values[name] for name in TournamentCorrected.__struct_fields__})


def _change_paired(tournament: Tournament, plan: TournamentAnnounced) -> TournamentAnnounced:
    """Return what stands, with the number of rounds of ``plan``, and who enters results. Raises ``Refused`` if anything else differs, or if
    more rounds are paired.
    """
    old, paired = tournament.plan, len(tournament.rounds)
    # A later edition of the ruleset may have added options.
    options = old.options if plan.options.items() >= old.options.items() else plan.options
    if replace(plan, seed=old.seed, rounds=old.rounds, own_results=old.own_results, options=options) != old:
        tournament.check_not_paired()
    if plan.rounds is not None and plan.rounds < paired:
        raise Refused("more_rounds_paired", rounds=plan.rounds, paired=paired)
    return replace(old, rounds=plan.rounds, own_results=plan.own_results)


def _check_entries(tournament: Tournament, plan: TournamentAnnounced) -> None:
    coming = [one for one in tournament.entrants if not one.is_gone(one.from_round)]
    needed = players_per_entry(plan)
    unfit = tuple(one.number for one in coming if len(one.latest.players) != needed)
    if unfit:
        raise Refused("entries_do_not_fit", entrants=unfit, needed=needed)
    last = 1 if FORMATS[plan.format].one_field else plan.rounds
    late = tuple(one.number for one in coming if last is not None and one.from_round > last)
    if late:
        raise Refused("entries_come_later", entrants=late, round=last)


def rate_entry(tournament: Tournament, entrant: int, rating: int | None) -> EntryRated:
    """Return the rating, by which the next draw goes. Raises ``Refused``, once a knock-out is paired: its bracket stands by then."""
    tournament.check_open()
    if FORMATS[tournament.plan.format].loser_is_out:
        tournament.check_not_paired()
    if tournament.entrant(entrant).rating == rating:
        raise Refused("rated_so_already", entrant=entrant)
    return EntryRated(entrant, rating)
