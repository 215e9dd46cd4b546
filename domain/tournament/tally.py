"""Outcomes of tables, from recorded games, entered results and forfeits; missing results; and the drawing of lots.

A director's result goes first, then recorded games, then results that all sides agree on. Outcomes are not stored: after a ruling in a game
the outcome of its table is another one the next time it is computed.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from msgspec import UNSET, Struct
from msgspec.structs import replace

from domain.effects import Plain
from domain.errors import Refused
from domain.events.tournament import LotsBound, LotsDrawn
from domain.score import places_by
from domain.shuffling import check_dice, commitment_to_lots, seed_of_lots
from domain.standings.plan import Outcome
from domain.tournament.games import PersonOf, TableGame, change_sides, find_mismatch, keep_id, parties_played, points_played
from domain.tournament.state import EnteredResult, RoundTable
from domain.tournament.tournament import Tournament, after_lots


class MissingResult(Struct, frozen=True):
    """A missing part of a table's result: a code, and the details that its sentence names (``waiting.<code>`` in the texts)."""

    round: int
    table: str
    code: str
    detail: dict[str, Plain]


class StillOpen(Refused):
    """A round cannot be closed, or a tournament not be ended: ``missing`` lists the missing results."""

    def __init__(self, code: str, missing: Sequence[MissingResult], **detail: object) -> None:
        super().__init__(code, tables=tuple(dict.fromkeys(one.table for one in missing)), **detail)
        self.missing = tuple(missing)


Lack: TypeAlias = tuple[str, dict[str, Plain]]
"""A code with its details."""

_Games: TypeAlias = defaultdict[tuple[int, str], list[TableGame]]


def tally_rounds(tournament: Tournament, games: Iterable[TableGame], person_of: PersonOf = keep_id) -> tuple[Outcome, ...]:
    """Return the outcome of every table of every round, in their order. Raises nothing."""
    at = _by_table(games)
    return tuple(
        _outcome(tournament, round.number, table, at[round.number, table.name], person_of)
        for round in tournament.rounds
        for table in round.tables
    )


def table_outcome(
    tournament: Tournament, round: int, table: RoundTable, games: Iterable[TableGame], person_of: PersonOf = keep_id
) -> Outcome:
    """Return the outcome of one table; ``games`` are those of its tournament, or at least its own."""
    return _outcome(tournament, round, table, _by_table(games)[round, table.name], person_of)


def counts_without_games(tournament: Tournament, games: Iterable[TableGame], round: int, name: str, person_of: PersonOf = keep_id) -> bool:
    """Return whether a table has a result that was entered or forfeited, so that nothing depends on its games any more."""
    table = tournament.rounds[round - 1].table(name) if 1 <= round <= len(tournament.rounds) else None
    return table is not None and table_outcome(tournament, round, table, games, person_of).how in ("entered", "forfeited")


def missing_results(
    tournament: Tournament, games: Iterable[TableGame], round: int, person_of: PersonOf = keep_id
) -> tuple[MissingResult, ...]:
    """Return the missing results of a round; adjourned tables lack nothing for now."""
    at = _by_table(games)
    return tuple(
        MissingResult(round, table.name, code, detail)
        for table in tournament.round(round).tables
        for code, detail in _missing_at(tournament, round, table, at[round, table.name], person_of)
    )


def list_adjourned_tables(tournament: Tournament, games: Iterable[TableGame], person_of: PersonOf = keep_id) -> tuple[MissingResult, ...]:
    """Return the tables that were to be finished later, and are not."""
    open = (one for one in tally_rounds(tournament, games, person_of) if one.how == "adjourned")
    return tuple(MissingResult(one.round, one.table, "adjourned", {}) for one in open)


def _by_table(games: Iterable[TableGame]) -> _Games:
    """Return the games of each table in their order, without annulled ones."""
    found: _Games = defaultdict(list)
    for game in sorted(games, key=lambda game: game.opened):
        if game.standing != "annulled":
            found[game.round, game.table].append(game)
    return found


def _outcome(tournament: Tournament, round: int, table: RoundTable, games: Sequence[TableGame], person_of: PersonOf) -> Outcome:
    found = _outcome_of_table(tournament, round, table, games, person_of)
    return replace(found, third_place=True) if tournament.rounds[round - 1].third_place == table.name else found


def _outcome_of_table(tournament: Tournament, round: int, table: RoundTable, games: Sequence[TableGame], person_of: PersonOf) -> Outcome:
    parties, ids, entered = tournament.parties(table.seats), tuple(game.game for game in games), table.entered
    # In this order: the director's result, a forfeit, recorded games, then the result that all sides confirmed.
    if entered and not entered.sides:
        return Outcome(round, table.name, parties, entered.points, "entered", games=ids)
    if table.absent:
        return Outcome(round, table.name, parties, _places_of_forfeit(tournament, table), "forfeited", table.absent, ids)
    if not find_missing(tournament, table, games, person_of):
        points, places = _sum_points(tournament, table, games, person_of), _places_of_only_game(tournament, table, games, person_of)
        return Outcome(round, table.name, parties, points, "games", games=ids, places=places)
    if entered and not list_pending_entrants(tournament, table, entered):
        return Outcome(round, table.name, parties, entered.points, "entered", games=ids)
    return Outcome(round, table.name, parties, None, "adjourned" if table.adjourned else "open", games=ids)


def _missing_at(tournament: Tournament, round: int, table: RoundTable, games: Sequence[TableGame], person_of: PersonOf) -> list[Lack]:
    if _outcome(tournament, round, table, games, person_of).how != "open":
        return []
    if table.entered and not games:
        return [_pending_result(tournament, table, table.entered)]
    return find_missing(tournament, table, games, person_of)


def _pending_result(tournament: Tournament, table: RoundTable, entered: EnteredResult) -> Lack:
    pending, differing = list_pending_entrants(tournament, table, entered), list_conflicting_results(tournament, table)
    if not differing:
        return "result_unconfirmed", {"sides": pending}
    results = tuple(" : ".join(map(str, one.points)) for one in (*differing, entered))
    return "results_differ", {"sides": pending, "results": results}


def is_decided(table: RoundTable) -> bool:
    """Return whether a director has decided the outcome of the table."""
    return bool(table.absent) or (table.entered is not None and not table.entered.sides)


def find_missing(tournament: Tournament, table: RoundTable, games: Sequence[TableGame], person_of: PersonOf) -> list[Lack]:
    """Return what the games of a table, none of them annulled, lack for a result."""
    planned, recorded = tournament.plan.games, len(games)
    lacks = [one for game in games for one in _wrong_with(tournament, table, game, person_of)]
    if recorded != planned:
        lacks.append(("too_many_games" if recorded > planned else "game_missing", {"games": planned, "recorded": recorded}))
    return lacks


def _wrong_with(tournament: Tournament, table: RoundTable, game: TableGame, person_of: PersonOf) -> Iterable[Lack]:
    detail: dict[str, Plain] = {"game": str(game.game)}
    if not _same_rules(tournament, game):
        yield "other_rules", detail
    elif players := find_mismatch(tournament, table, game, person_of):
        yield "players_do_not_fit", {**detail, "players": players}
    elif not game.counts:
        yield "game_suspended" if game.standing == "suspended" else "game_unfinished", detail


def _same_rules(tournament: Tournament, game: TableGame) -> bool:
    """Return whether the rules are those of the plan. A later edition of a ruleset may know options that did not exist when the plan was
    fixed.
    """
    plan = tournament.plan
    return game.ruleset == plan.ruleset and all(game.options.get(name) == value for name, value in plan.options.items())


def _sum_points(tournament: Tournament, table: RoundTable, played: Sequence[TableGame], person_of: PersonOf) -> tuple[int, ...]:
    points = [0] * len(tournament.parties(table.seats))
    for game in played:
        for party, own in enumerate(points_played(tournament, table, game, person_of) or ()):
            points[party] += own
    return tuple(points)


def _places_of_only_game(
    tournament: Tournament, table: RoundTable, played: Sequence[TableGame], person_of: PersonOf
) -> tuple[int, ...] | None:
    """Return the places of the table's only game, if they do not follow from its points."""
    if len(played) != 1 or not played[0].places or played[0].places == places_by(played[0].totals):
        return None
    if change_sides(tournament, table, played[0], person_of):
        return None
    found = dict(zip(parties_played(tournament, table, played[0], person_of) or (), played[0].places, strict=False))
    places = tuple(place for _, place in sorted(found.items()) if place is not None)
    return places if len(places) == len(tournament.parties(table.seats)) else None


def _places_of_forfeit(tournament: Tournament, table: RoundTable) -> tuple[int, ...]:
    came, absent = tournament.plan.scoring.forfeit_points
    return tuple(absent if set(party) & set(table.absent) else came for party in tournament.parties(table.seats))


def list_pending_entrants(tournament: Tournament, table: RoundTable, entered: EnteredResult) -> tuple[int, ...]:
    """Return the first entrant of each party that has not confirmed the result yet."""
    return tuple(party[0] for party in tournament.parties(table.seats) if not set(party) & set(entered.sides))


def list_last_words(tournament: Tournament, table: RoundTable) -> list[tuple[tuple[int, ...], EnteredResult]]:
    """Return each party at the table that has entered or confirmed a result, with the last one."""
    said = [*table.replaced, *([table.entered] if table.entered else ())]
    last = [(party, [one for one in said if {*party} & {*one.sides}]) for party in tournament.parties(table.seats)]
    return [(party, results[-1]) for party, results in last if results]


def list_conflicting_results(tournament: Tournament, table: RoundTable) -> tuple[EnteredResult, ...]:
    """Return the last results of sides that hold to other points than those of the present result."""
    if table.entered is None:
        return ()
    words = (one for _, one in list_last_words(tournament, table) if one.points != table.entered.points)
    return tuple(dict.fromkeys(words))


# Lots by commit and reveal: the service is bound to a secret from the announcement on. With the first pairing it is revealed, and mixed
# with the entries, and with dice where some were promised. Once the lots are drawn their seed stays, also where the first round is
# unpaired.


class Drawing(Struct, frozen=True):
    """The input of a pairing for the lots: the secret, if the register has it, the dice as they were typed, and a seed where the secret was
    lost.
    """

    secret: bytes | None = None
    dice: str | None = None
    seed: str | None = None


def are_required(tournament: Tournament) -> bool:
    """Return whether the next pairing draws the lots. Until then nothing may follow from them."""
    return not tournament.plan.seed


def draw_if_required(tournament: Tournament, drawing: Drawing) -> tuple[LotsDrawn, ...]:
    """Return the drawing that is recorded before the pairing. Raises ``Refused``, also if the lots are drawn already and dice or a seed
    were given.
    """
    if are_required(tournament):
        return (draw_lots(tournament, drawing),)
    if drawing.dice is not None or drawing.seed is not None:
        raise Refused("lots_drawn")
    return ()


def with_lots(tournament: Tournament, drawn: Sequence[LotsDrawn]) -> Tournament:
    """Return the tournament as it is when it is paired."""
    return after_lots(tournament, drawn[0]) if drawn else tournament


def draw_lots(tournament: Tournament, drawing: Drawing) -> LotsDrawn:
    """Return the drawing of the lots. Raises ``Refused``."""
    tournament.check_open()
    if not are_required(tournament):
        raise Refused("lots_drawn")
    bound = tournament.plan.lots
    if bound is UNSET or drawing.secret is None:
        return _draw_lots_from_seed(drawing)
    if commitment_to_lots(drawing.secret) != bound.commitment:
        raise Refused("lots_secret_does_not_fit")
    if drawing.seed is not None:
        raise Refused("lots_are_bound")
    _check_dice(bound, drawing.dice)
    entries = [(one.number, one.latest.players) for one in tournament.entrants]
    seed = seed_of_lots(drawing.secret, tournament.id, entries, drawing.dice or "")
    return LotsDrawn(seed, drawing.secret.hex(), drawing.dice)


def _draw_lots_from_seed(drawing: Drawing) -> LotsDrawn:
    if drawing.seed is None:
        raise Refused("lots_secret_lost")
    if drawing.dice is not None:
        raise Refused("dice_with_seed")
    return LotsDrawn(drawing.seed, None, None)


def _check_dice(bound: LotsBound, dice: str | None) -> None:
    if dice is None and bound.dice:
        raise Refused("lots_need_dice", dice=bound.dice)
    if dice is not None and not bound.dice:
        raise Refused("lots_without_dice")
    if dice is not None:
        check_dice(dice, bound.dice)
