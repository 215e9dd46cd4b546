"""Announcement of a tournament: everything that decides who wins is fixed before the first card."""

from itertools import pairwise
from typing import Any

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import asdict, replace

from domain.errors import Refused
from domain.events.base import TextRef
from domain.events.game import Live, Openness, Shuffle
from domain.events.tournament import EntryRated, HallNames, LotsBound, Rules, TournamentAnnounced, TournamentCorrected
from domain.opening import encode_own_moves, in_utc
from domain.rules import Ruleset
from domain.setup import Setup
from domain.shuffling import check_promise
from domain.standings.plan import FORMATS, Entrants, Format, PairingRules, Scoring, ScoringInput, is_head_to_head, players_per_entry
from domain.standings.tie_breaks import TIE_BREAKS, TieBreak
from domain.time_zones import UTC_ZONE, decode_time_zone, encode_time_zone, is_time_zone
from domain.tournament.tournament import Tournament

# Validation of an announcement: which scoring and which tie-breaks make sense for which tables.


def check_plan(plan: TournamentAnnounced) -> None:
    """Raise ``Refused`` if scoring, format and tie-breaks do not fit together."""
    if plan.scoring.by == "match_points":
        _check_places(plan)
    _check_draw(plan)
    if FORMATS[plan.format].loser_is_out:
        _check_knockout(plan)
    elif plan.third_place:
        raise Refused("third_place_needs_knockout")
    if plan.pairing and plan.pairing.late and FORMATS[plan.format].one_field:
        raise Refused("no_half_byes", format=plan.format)
    for index, name in enumerate(plan.tie_breaks):
        if name in plan.tie_breaks[:index]:
            raise Refused("tie_break_twice", tie_break=name)
        if not TIE_BREAKS[name].makes_sense(plan):
            raise Refused(f"no_{name}")
    if any(TIE_BREAKS[name].drawn for name in plan.tie_breaks[:-1]):
        raise Refused("lots_not_last")


def _check_places(plan: TournamentAnnounced) -> None:
    places = plan.scoring.places
    if len(plan.parties) == 1:
        raise Refused("solitaire_by_match_points")
    if len(places) != len(plan.parties):
        raise Refused("places_missing", places=len(places), parties=len(plan.parties))
    if any(worse > better for better, worse in pairwise(places)) or places[0] == places[-1]:
        raise Refused("places_rise", places=places)


def _check_draw(plan: TournamentAnnounced) -> None:
    draw, places = plan.scoring.draw, plan.scoring.places
    if draw is UNSET:
        return
    if plan.scoring.by != "match_points" or len(plan.parties) != 2:
        raise Refused("draw_needs_duels")
    if not places[-1] <= draw <= places[0]:
        raise Refused("draw_outside", draw=draw, win=places[0], loss=places[-1])


def _check_knockout(plan: TournamentAnnounced) -> None:
    if not is_head_to_head(plan):
        raise Refused("knockout_needs_duels")
    win = max(plan.scoring.places, default=0)
    if plan.scoring.by != "match_points" or plan.scoring.bye != win:
        raise Refused("knockout_by_match_points", win=win)


class AnnouncementInput(Struct, frozen=True, kw_only=True):
    """A tournament as a director proposes it. ``options`` and ``seats`` are undecoded: the ruleset judges them."""

    options: object
    seats: object
    format: Format
    entrants: Entrants
    scoring: Scoring | ScoringInput
    tie_breaks: tuple[TieBreak, ...]
    rounds: int | None
    games: int
    openness: Openness
    live: Live = UNSET
    own_moves: bool | UnsetType = UNSET
    shuffle: Shuffle = UNSET
    smaller_tables: bool = False
    pairing: Rules = UNSET
    half_required: bool = False
    third_place: bool = False
    own_results: bool = False


def announce_tournament(
    ruleset: Ruleset,
    id: str,
    title: TextRef | None,
    proposal: AnnouncementInput,
    lots: LotsBound | str,
    hall_names: HallNames | UnsetType = UNSET,
    time_zone: str = UTC_ZONE,
) -> TournamentAnnounced:
    """Return the announcement. ``lots``: the commitment to which they are bound, or a seed in the open. Raises ``Refused``: of the ruleset
    for options and seats, of the format for the rest.
    """
    setup = ruleset.bind(proposal.options, proposal.seats).setup
    if proposal.entrants == "parties" and len({len(party) for party in setup.parties}) > 1:
        raise Refused("parties_differ", sizes=tuple(len(party) for party in setup.parties))
    if proposal.smaller_tables:
        _check_smaller_tables(ruleset, setup)
    settled: dict[str, Any] = {
        **asdict(proposal),
        "options": setup.options,
        "seats": setup.seats,
        "scoring": _scoring(proposal.scoring, len(setup.parties)),
        "openness": in_utc(proposal.openness),
        "own_moves": encode_own_moves(proposal.own_moves),
        "pairing": UNSET if proposal.pairing == PairingRules() else proposal.pairing,
    }
    check_time_zone(time_zone)
    plan = TournamentAnnounced(
        tournament=id,
        title=title,
        ruleset=setup.ruleset,
        parties=setup.parties,
        hall_names=hall_names,
        time_zone=encode_time_zone(time_zone),
        **_lots(lots),
        **settled,
    )
    check_plan(plan)
    return plan


def check_time_zone(name: str) -> None:
    if not is_time_zone(name):
        raise Refused("unknown_time_zone", time_zone=name)


def _check_smaller_tables(ruleset: Ruleset, setup: Setup) -> None:
    """Raise ``Refused`` unless single players can play the game by the same options with one seat less, and still are more than one."""
    try:
        smaller = ruleset.bind(setup.options, setup.seats - 1).setup
    except Refused:
        smaller = None
    if smaller is None or len(smaller.parties) != setup.seats - 1 or setup.seats < 3 or smaller.options != setup.options:
        raise Refused("no_smaller_tables", seats=setup.seats)


def _scoring(given: Scoring | ScoringInput, parties: int) -> Scoring:
    return given.fill_defaults(parties) if isinstance(given, ScoringInput) else given


def _lots(lots: LotsBound | str) -> dict[str, Any]:
    if isinstance(lots, str):
        return {"seed": lots}
    check_promise(lots.dice)
    return {"lots": lots}


# Corrections of an announcement, and of ratings, until something is paired; later only of rounds, of who enters results, and of ratings.


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
