"""Reconciliation of paper and record: what was typed for each table of a round beside what was recorded at it, and what to do with each."""

from collections.abc import Sequence
from typing import Literal, TypeAlias, get_args

from msgspec import Struct

from api.pages.directing.evening import Evening, Told

Finding: TypeAlias = Literal[
    "typed_counts",
    "record_counts",
    "forfeited",
    "unconfirmed",
    "unfinished",
    "nothing",
    "typed_only",
    "recorded_only",
    "same",
]
"""The comparison of a table, in the order in which tables are shown: differences, what is missing, what is in order.

``typed_counts``: the typed result goes before another one that was recorded; ``record_counts``: a record goes before what sides typed;
``forfeited``: without regard to a record; ``unconfirmed``: typed by one side, not by the others; ``unfinished``: a record that is not over.
"""
_DIFFER: Sequence[Finding] = ("typed_counts", "record_counts", "forfeited", "unconfirmed", "unfinished")
_ORDER: Sequence[Finding] = get_args(Finding)


class ComparedSide(Struct, frozen=True):
    """A side of a table with its points: as typed, as recorded, as counted."""

    names: str
    typed: int | None
    recorded: int | None
    counts: float | None


class ComparedTable(Struct, frozen=True):
    """A table. ``game``: the newest game with anything recorded in it."""

    table: str
    finding: Finding
    sides: Sequence[ComparedSide]
    game: str | None

    @property
    def is_mismatch(self) -> bool:
        return self.finding in _DIFFER


def compare_round(evening: Evening) -> list[ComparedTable]:
    """Return the tables of the round that is looked at, differences first."""
    compared = [_compare(evening, table) for table in evening.looked["tables"]] if evening.looked else []
    return sorted(compared, key=lambda one: _ORDER.index(one.finding))


def _compare(evening: Evening, table: Told) -> ComparedTable:
    games = [game for game in table["games"] if game["state"] != "annulled" and (any(game["totals"]) or game["places"])]
    typed = table["entered"]["points"] if table["entered"] else None
    recorded = [sum(points) for points in zip(*(game["totals"] for game in games), strict=True)] or None
    sides = [
        ComparedSide(
            names=" & ".join(evening.names_in_round.get(one, str(one)) for one in party),
            typed=typed[place] if typed else None,
            recorded=recorded[place] if recorded else None,
            counts=table["points"][place] if table["points"] else None,
        )
        for place, party in enumerate(table["parties"])
    ]
    return ComparedTable(table["table"], _find(table, typed, recorded), sides, games[-1]["game"] if games else None)


def _find(table: Told, typed: Sequence[int] | None, recorded: Sequence[int] | None) -> Finding:
    if table["how"] == "forfeited":
        return "forfeited" if recorded else "same"
    if typed is None:
        return "nothing" if recorded is None else "recorded_only" if table["how"] == "games" else "unfinished"
    if table["how"] == "open":
        return "unconfirmed" if recorded is None else "unfinished"
    if recorded is None:
        return "typed_only"
    if list(typed) == list(recorded):
        return "same"
    return "typed_counts" if table["how"] == "entered" else "record_counts"
