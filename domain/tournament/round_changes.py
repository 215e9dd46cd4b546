"""Change of the round in play: other entrants at some of its tables, tables made or dissolved, entrants seated who came late; and the seats
of a round as it was really played.
"""

from collections.abc import Iterable, Sequence

from msgspec import UNSET, Struct
from msgspec.structs import replace

from domain.errors import Refused
from domain.events.base import TextRef
from domain.events.tournament import PairingChanged, Seating
from domain.standings.plan import FORMATS
from domain.tournament.games import PersonOf, TableGame, keep_id, parties_played
from domain.tournament.pairing.knockout import list_left
from domain.tournament.rounds import GivenTable, check_table, seats_of
from domain.tournament.state import Round, RoundTable
from domain.tournament.tally import is_decided, tally_rounds
from domain.tournament.tournament import Tournament


class ChangeInput(Struct, frozen=True):
    """A change as a director proposes it. ``tables`` as they are to be; ``dissolved`` by name; ``byes`` and ``absent``: the entrants of
    these tables, and late ones, who have a bye now, or do not play in the round. An entrant who is seated loses a bye.
    """

    tables: Sequence[GivenTable] = ()
    dissolved: Sequence[str] = ()
    byes: Sequence[int] = ()
    absent: Sequence[int] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The tables that it changes."""
        return (*(table.name for table in self.tables), *self.dissolved)


def change_round(
    tournament: Tournament,
    number: int,
    draft: ChangeInput,
    games: Iterable[TableGame],
    reason: TextRef | None,
    person_of: PersonOf = keep_id,
    *,
    as_played: bool = False,
) -> PairingChanged:
    """Return the change. ``games`` are those in which something was dealt. ``as_played``: it was really so that they sat, which can also be
    said of tables with an entered result, of a closed round, and after the end.

    Raises ``Refused``, also for a table with a result, and for one at which others played than are to sit there: who sat down at each
    other's table and played on gets the pairing that was played.
    """
    round = _played_round(tournament, number) if as_played else _open_round(tournament, number)
    played = tuple(games)
    _check_names(tournament, round, draft)
    for table in draft.tables:
        check_table(tournament, table)
    tables = tuple(Seating(table.name, seats_of(tournament, table.parties)) for table in draft.tables)
    if as_played:
        _check_same_tables(tournament, round, tables, draft.dissolved)
    _check_not_played(tournament, _without_results(round) if as_played else round, draft.names, tables, played, person_of)
    byes = _byes_after(round, draft)
    _check_places(round, draft, byes)
    _check_may_join(tournament, round, {*draft.byes, *_list_seated(draft)} - round.entrants, played, person_of)
    changed = tuple(one for one in tables if not _is_unchanged(round, one))
    if not changed and not draft.dissolved and byes == round.byes:
        raise Refused("pairing_unchanged", round=number)
    return PairingChanged(number, changed, tuple(draft.dissolved), byes, tuple(draft.absent), reason, as_played or UNSET)


def input_of(tournament: Tournament, change: PairingChanged) -> ChangeInput:
    """Return the proposal that leads to a change."""
    tables = [GivenTable(one.table, tournament.parties(one.seats)) for one in change.tables]
    return ChangeInput(tables, change.dissolved, change.byes, change.absent)


def input_to_undo(tournament: Tournament, number: int) -> ChangeInput:
    """Return the proposal that takes back the last change of the round. Raises ``Refused`` if there was none."""
    former = _open_round(tournament, number).former
    if former is None:
        raise Refused("nothing_changed", round=number)
    return input_of(tournament, former)


def _open_round(tournament: Tournament, number: int) -> Round:
    tournament.check_open()
    round = tournament.round(number)
    if round.closed:
        raise Refused("round_closed", round=number)
    return round


def _played_round(tournament: Tournament, number: int) -> Round:
    if tournament.ended and tournament.ended.how == "cancelled":
        tournament.check_open()
    return tournament.round(number)


def _check_same_tables(tournament: Tournament, round: Round, tables: Sequence[Seating], dissolved: Sequence[str]) -> None:
    """Raise ``Refused`` for a table that was not there, was of another size, or is to be dissolved: its result would have no place."""
    known = {one.name: len(one.seats) for one in round.tables}
    if others := (*(one.table for one in tables if known.get(one.table) != len(one.seats)), *dissolved):
        raise Refused("tables_as_played", tables=others, round=round.number)


def _without_results(round: Round) -> Round:
    """Return the round without results that were entered; a forfeit names who was absent from the table."""
    return replace(round, tables=tuple(replace(one, entered=None) for one in round.tables))


def _check_names(tournament: Tournament, round: Round, draft: ChangeInput) -> None:
    if twice := tuple(sorted({name for name in draft.names if draft.names.count(name) > 1})):
        raise Refused("table_twice", tables=twice)
    for name in draft.dissolved:
        tournament.table(round.number, name)


def _check_not_played(
    tournament: Tournament, round: Round, names: Sequence[str], tables: Sequence[Seating], games: Sequence[TableGame], person_of: PersonOf
) -> None:
    wanted = {one.table: RoundTable(one.table, one.seats) for one in tables}
    decided = {one.name for one in tournament.round(round.number).tables if is_decided(one)}
    here = [game for game in games if game.round == round.number and game.standing != "annulled" and game.table not in decided]
    played = {game.table for game in here if not _fits(tournament, wanted.get(game.table), game, person_of)}
    played |= {table.name for table in round.tables if table.entered or table.absent}
    if kept := tuple(name for name in names if name in played):
        raise Refused("table_played", tables=kept)


def _fits(tournament: Tournament, table: RoundTable | None, game: TableGame, person_of: PersonOf) -> bool:
    """Return whether those sit in the game who are to sit at the table."""
    return table is not None and parties_played(tournament, table, game, person_of) is not None


def _is_unchanged(round: Round, seating: Seating) -> bool:
    table = round.table(seating.table)
    return table is not None and table.seats == seating.seats


def _list_seated(draft: ChangeInput) -> list[int]:
    return [entrant for table in draft.tables for party in table.parties for entrant in party]


def _byes_after(round: Round, draft: ChangeInput) -> tuple[int, ...]:
    gone = {*draft.absent, *_list_seated(draft)}
    kept = tuple(one for one in round.byes if one not in gone)
    return (*kept, *(one for one in dict.fromkeys(draft.byes) if one not in kept))


def _check_places(round: Round, draft: ChangeInput, byes: Sequence[int]) -> None:
    """Raise ``Refused`` unless each entrant of the round has one table or bye, or is absent."""
    elsewhere = {entrant for table in round.tables if table.name not in draft.names for entrant in table.seats}
    named = [*_list_seated(draft), *byes, *dict.fromkeys(draft.absent), *elsewhere]
    if twice := tuple(sorted({one for one in named if named.count(one) > 1})):
        raise Refused("paired_twice", entrants=twice)
    if missing := tuple(sorted(round.entrants - set(named))):
        raise Refused("not_paired_now", entrants=missing)
    if strangers := tuple(sorted(set(draft.absent) - round.entrants)):
        raise Refused("not_to_be_paired", entrants=strangers, round=round.number)


def _check_may_join(tournament: Tournament, round: Round, joining: set[int], games: Sequence[TableGame], person_of: PersonOf) -> None:
    """Raise ``Refused`` for an entrant who has left, and for one who is out of a knock-out."""
    for entrant in (tournament.entrant(number) for number in sorted(joining)):
        if entrant.is_gone(round.number):
            raise Refused("entrant_withdrawn", entrant=entrant.number, round=entrant.until)
    if joining and round.number > 1 and FORMATS[tournament.plan.format].loser_is_out:
        left = list_left(tally_rounds(tournament, games, person_of), tournament.byes, round.number)
        if out := tuple(sorted(joining - left)):
            raise Refused("not_to_be_paired", entrants=out, round=round.number)
