"""What lies between two standings of a tournament: who moved, and which tables came to something else."""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from domain.standings.outcome import Outcome
from domain.standings.standings import StandingsRow


class ChangedRow(Struct, frozen=True):
    """An entrant whose place, score or tie-breaks changed; ``None`` where he had not entered."""

    entrant: int
    before: StandingsRow | None
    after: StandingsRow | None


class ChangedOutcome(Struct, frozen=True):
    """A table that came to something else; ``None`` where it was not paired."""

    round: int
    table: str
    before: Outcome | None
    after: Outcome | None


def changed_rows(before: Iterable[StandingsRow], after: Iterable[StandingsRow]) -> tuple[ChangedRow, ...]:
    """In the order of the later standings; who is in them no more comes last."""
    was, now = ({line.entrant: line for line in lines} for lines in (before, after))
    pairs = [ChangedRow(entrant, was.get(entrant), now.get(entrant)) for entrant in {**now, **was}]
    return tuple(pair for pair in pairs if _figures(pair.before) != _figures(pair.after))


def changed_outcomes(before: Iterable[Outcome], after: Iterable[Outcome]) -> tuple[ChangedOutcome, ...]:
    """By round, in the order of the tables."""
    was, now = ({(one.round, one.table): one for one in outcomes} for outcomes in (before, after))
    pairs = [ChangedOutcome(*key, was.get(key), now.get(key)) for key in sorted({**was, **now}, key=lambda key: key[0])]
    return tuple(pair for pair in pairs if _result(pair.before) != _result(pair.after))


def _figures(line: StandingsRow | None) -> Sequence[object]:
    return () if line is None else (line.place, line.score, *(figure.value for figure in line.figures))


def _result(outcome: Outcome | None) -> Sequence[object]:
    return () if outcome is None else (outcome.parties, outcome.points, outcome.places, outcome.how, outcome.absent)
