"""The rounds of a tournament as one player played them: with whom, against whom, and both points."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from api.pages.names import line_up_in, name_entrants

Told = Mapping[str, Any]


class OwnRound(Struct, frozen=True):
    """A round of a player. ``table`` is None for a bye; ``sides`` are the opponents, party by party. ``own`` and ``theirs``: the points of
    the parties, None and none where there are none.
    """

    round: int
    table: str | None = None
    partners: Sequence[str] = ()
    sides: Sequence[str] = ()
    own: int | None = None
    theirs: Sequence[int] = ()
    how: str = "bye"


def list_own_rounds(rounds: Sequence[Told], entrants: Sequence[Told], entrant: Told, player: str) -> list[OwnRound]:
    """Return the rounds that the player played or was free in, the newest first; without the table that still plays."""
    played = [one for one in rounds if player in line_up_in(entrant, one["round"])["players"]]
    found = [_own_round(one, entrants, entrant, player) for one in reversed(played)]
    return [one for one in found if one is not None]


def _own_round(round: Told, entrants: Sequence[Told], entrant: Told, player: str) -> OwnRound | None:
    number, own = round["round"], entrant["entrant"]
    if own in (*round["byes"], *round["half_byes"]):
        return OwnRound(number)
    table = next((one for one in round["tables"] if any(own in party for party in one["parties"])), None)
    if table is None or (table["points"] is None and not round["closed"]):
        return None
    names, place = name_entrants(entrants, number), next(place for place, party in enumerate(table["parties"]) if own in party)
    line_up = line_up_in(entrant, number)
    partners = [shown for one, shown in zip(line_up["players"], line_up["shown"], strict=True) if one != player]
    partners += [names[one] for one in table["parties"][place] if one != own]
    others = [party for party in range(len(table["parties"])) if party != place]
    points = table["points"]
    return OwnRound(
        number,
        table["table"],
        partners,
        [" & ".join(names[one] for one in table["parties"][party]) for party in others],
        None if points is None else points[place],
        [] if points is None else [points[party] for party in others],
        table["how"],
    )
