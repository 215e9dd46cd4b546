"""Knockout pairing: losers are out. The bracket is that of the seeds: if the better one always wins, the first meets the second in the end.

Seeded by rating, then by lot. If their number is no power of two, the best have a bye in the first round.
"""

from collections.abc import Iterable, Iterator, Sequence

from domain.errors import Refused
from domain.standings.plan import Bye, Outcome
from domain.tournament.pairing.tables import DrawTask, Pairing, Parties, field_of, list_no_shows, precedence


def draw(task: DrawTask) -> Pairing:
    """Return the pairing of the winners by the bracket. An entrant whose opponent withdrew has a bye; one who missed a round is out. With
    the final the losers of two semi-finals play for the third place, if that was announced.

    Raises ``Refused``: ``knockout_undecided`` for a table without a winner, ``knockout_over`` when one is left.
    """
    playing, entrants, outcomes, round = {entrant.number for entrant in task.playing}, task.entrants, task.outcomes, task.round
    field = field_of(outcomes, task.byes) or playing
    if late := playing - field - list_no_shows(entrants):
        raise Refused("late_for_knockout", entrants=tuple(sorted(late)))
    left = playing & list_left(outcomes, task.byes, round) if round > 1 else playing
    if len(left) < 2:
        raise Refused("knockout_over" if round > 1 else "too_few_entrants", needed=2)
    seeds = sorted((entrant for entrant in entrants if entrant.number in field), key=lambda one: precedence(task.plan.seed, one))
    slots = build_seed_tree([entrant.number for entrant in seeds])
    pairs = _pairs(slots, left, round)
    tables: tuple[Parties, ...] = tuple(((pair[0],), (pair[1],)) for pair in pairs if len(pair) == 2)
    if task.plan.third_place and len(left) == 2:
        tables += _pair_place_match(outcomes, playing, [entrant.number for entrant in seeds], round)
    return Pairing(tables, tuple(sorted(pair[0] for pair in pairs if len(pair) == 1)))


def _pair_place_match(outcomes: Iterable[Outcome], playing: set[int], order: Sequence[int], round: int) -> tuple[Parties, ...]:
    played = (one for one in outcomes if one.round == round - 1 and one.how != "forfeited")
    lost = {loser for outcome in played for loser in list_entrants_out(outcome)} & playing
    return (tuple((one,) for one in order if one in lost),) if len(lost) == 2 else ()


def build_seed_tree(seeds: Sequence[int]) -> list[int | None]:
    """Return the slots of the first round from top to bottom; ``None`` is a bye."""
    order = [0]
    while len(order) < len(seeds):
        size = 2 * len(order)
        order = [place for one in order for place in (one, size - 1 - one)]
    return [seeds[place] if place < len(seeds) else None for place in order]


def list_left(outcomes: Iterable[Outcome], byes: Iterable[Bye], round: int) -> set[int]:
    """Return who was there in the round before and did not lose. Raises ``Refused`` for a table without a winner.

    Those who played for the third place are out. Earlier rounds do not count: whoever was paired since stays in, even if a result was
    corrected afterwards. So every bracket has an end.
    """
    last = [outcome for outcome in outcomes if outcome.round == round - 1 and not outcome.third_place]
    return field_of(last, byes, round - 1) - {loser for outcome in last for loser in list_entrants_out(outcome)}


def list_entrants_out(outcome: Outcome) -> tuple[int, ...]:
    """Return the entrants who are out by the outcome. Raises ``Refused`` if it has no winner."""
    if outcome.how == "forfeited":
        return outcome.absent
    strength = outcome.rank_key
    if len(set(strength)) < 2:
        raise Refused("knockout_undecided", round=outcome.round, table=outcome.table)
    return outcome.parties[strength.index(min(strength))]


def _pairs(slots: Sequence[int | None], left: set[int], round: int) -> list[Sequence[int]]:
    """Return the remaining entrants, two by two; one alone has a bye. Rounds in which nobody would play are passed over."""
    size = 2**round
    while all(len(alive) < 2 for alive in _sections(slots, left, size)):
        size *= 2
    # More than two are left in a section only where rounds were paired by hand.
    return [alive[start : start + 2] for alive in _sections(slots, left, size) for start in range(0, len(alive), 2)]


def _sections(slots: Sequence[int | None], left: set[int], size: int) -> Iterator[list[int]]:
    """Yield the remaining entrants of each section of the bracket, from which one of them will emerge as the winner."""
    for start in range(0, len(slots), size):
        yield [slot for slot in slots[start : start + size] if slot is not None and slot in left]
