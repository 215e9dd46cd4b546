"""Announcement of a tournament: everything that decides who wins is fixed before the first card."""

from typing import Any

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import asdict

from domain.errors import Refused
from domain.events.base import TextRef
from domain.events.game import Live, Openness, Shuffle
from domain.events.tournament import HallNames, LotsBound, Rules, TournamentAnnounced
from domain.opening import encode_own_moves, in_utc
from domain.rules import Ruleset
from domain.setup import Setup
from domain.shuffling import check_promise
from domain.standings.plan import Entrants, Format, PairingRules, Scoring, ScoringInput
from domain.standings.tie_breaks import TieBreak
from domain.time_zones import UTC_ZONE, encode_time_zone, is_time_zone
from domain.tournament.pairing import check_plan


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
    settled = {
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
