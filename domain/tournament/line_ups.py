"""Line-ups of an entrant: the players of each round. Substitutes for good or for some rounds, and players entered by mistake."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace


class LineUp(Struct, frozen=True):
    """The players of an entrant from a round on, one for each seat of a party; with ``back_from`` up to the round before it. Where several
    hold in a round, the last one does.
    """

    from_round: int
    players: tuple[str, ...]
    back_from: int | None = None

    def covers(self, round: int) -> bool:
        return self.from_round <= round and (self.back_from is None or round < self.back_from)


LineUps: TypeAlias = tuple[LineUp, ...]


def players_in(line_ups: LineUps, round: int) -> tuple[str, ...]:
    """Return the players of a round; before the first one, those of the first."""
    return next((one.players for one in reversed(line_ups) if one.covers(round)), line_ups[0].players)


def regulars_in(line_ups: LineUps, round: int) -> tuple[str, ...]:
    """Return the players of a round, apart from substitutes for some rounds."""
    return players_in((line_ups[0], *(one for one in line_ups if one.back_from is None)), round)


def list_line_ups(line_ups: LineUps, first: int, until: int | None = None) -> LineUps:
    """Return the players of the rounds from ``first`` on, up to the one before ``until``: each stretch of rounds with its own, in order.
    The last one has no end where ``until`` is None.
    """
    ends = {end for one in line_ups for end in (one.from_round, one.back_from) if end is not None and end > first}
    turns = [first, *sorted(end for end in ends if until is None or end < until)]
    found: list[LineUp] = []
    for begin, end in zip(turns, [*turns[1:], until], strict=True):
        players = players_in(line_ups, begin)
        if found and found[-1].players == players:
            found[-1] = replace(found[-1], back_from=end)
        else:
            found.append(LineUp(begin, players, end))
    return tuple(found)


def map_replaced(line_ups: LineUps, round: int, players: Sequence[str]) -> dict[str, str]:
    """Return who takes whose place if these are the players of a round, by the player whose place it was."""
    return {named: real for named, real in zip(players_in(line_ups, round), players, strict=False) if named != real}


def rename_players(players: Iterable[str], mistaken: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(mistaken.get(player, player) for player in players)


def correct_line_ups(line_ups: LineUps, players: Sequence[str], first: int, until: int | None) -> LineUps:
    """Return the line-ups in which these players stood there from a round on, up to the one before ``until``. Their substitutes stay."""
    mistaken = map_replaced(line_ups, first, players)
    if until is not None:
        return (*line_ups, *_rename(list_line_ups(line_ups, first, until), mistaken))
    earlier = tuple(one for one in line_ups if one.from_round < first)
    later = (one for one in line_ups if one.back_from is None or one.back_from > first)
    return (*earlier, *_rename((replace(one, from_round=max(one.from_round, first)) for one in later), mistaken))


def _rename(line_ups: Iterable[LineUp], mistaken: Mapping[str, str]) -> LineUps:
    return tuple(replace(one, players=rename_players(one.players, mistaken)) for one in line_ups)
