"""Laws of a tournament at any moment: standings, cross table, score lines, results, histories and exports say the same."""

import csv
import io
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from domain.standings.plan import Outcome, players_per_entry
from domain.tournament.tally import tally_rounds
from domain.tournament.tournament import Tournament
from tests.tournaments.hall import Hall, entrant_of
from tests.tournaments.reckoning import rounds_reckoned, total

Lines = Sequence[dict[str, Any]]


class Reading(Struct):
    """What was read of a tournament at one moment."""

    now: Tournament
    outcomes: Sequence[Outcome]
    rounds: Sequence[dict[str, Any]]
    lines: Lines
    results: Lines
    standings: Lines


def read(hall: Hall) -> Reading:
    rounds = hall.get("/rounds").json()["rounds"]
    now, games = hall.now, hall.games()
    return Reading(
        now,
        tally_rounds(now, games),
        rounds,
        [line for line in _pages(hall, f"/v1/scores?tournament={hall.id}&limit=1000") if line["state"] == "counted"],
        _pages(hall, f"/v1/results?tournament={hall.id}&limit=200"),
        hall.get("/standings").json()["lines"],
    )


def _pages(hall: Hall, path: str) -> Lines:
    answer = hall.get(path).json()
    assert answer["next"] is None, "one page is meant to hold a whole tournament"
    return list(answer["items"])


def breaches(hall: Hall) -> Iterator[str]:
    """Yield a sentence for each law that does not hold now."""
    found = read(hall)
    yield from _of_tables(found)
    yield from _of_sums(found)
    yield from _of_seats(hall, found)
    yield from _of_standings(found)
    yield from _of_exports(hall, found)
    yield from _of_histories(hall, found)


def _of_tables(found: Reading) -> Iterator[str]:
    """The list of rounds says of each table what its outcome is; everybody has one place in a round."""
    told = {(round["round"], table["table"]): table for round in found.rounds for table in round["tables"]}
    for one in found.outcomes:
        table = told[one.round, one.table]
        points = None if table["points"] is None else tuple(table["points"])
        if (points, table["how"]) != (one.points, one.how):
            yield f"round {one.round} table {one.table}: {table} is not {one}"
    for round in found.now.rounds:
        named = [*round.byes, *(entrant for table in round.tables for party in found.now.parties(table.seats) for entrant in party)]
        if len(set(named)) < len(named):
            yield f"round {round.number}: somebody is there twice: {sorted(named)}"
        here = {entrant.number for entrant in found.now.active(round.number)}
        if found.now.plan.format != "knockout" and {*named} != here:
            yield f"round {round.number}: {sorted({*named} ^ here)} are there or not"


def _of_sums(found: Reading) -> Iterator[str]:
    """The counted lines of an entrant at a table add up to the points of the table, and the results of players to their lines. Players
    who finished no hand have no result.
    """
    each = players_per_entry(found.now.plan)
    sums: defaultdict[tuple[int, str, int], int] = defaultdict(int)
    own: defaultdict[tuple[str, str | None, str], int] = defaultdict(int)
    for line in (line for line in found.lines if line["player"]):
        sums[line["round"], line["table"], entrant_of(line["player"])] += line["points"]
        own[line["table"], line["game"] or str(line["round"]), line["player"]] += line["points"]
    for one in found.outcomes:
        for entrant, points in _points_of(found.now, one):
            told = sums[one.round, one.table, entrant]
            if told != points * each:
                yield f"round {one.round} table {one.table} entrant {entrant}: {points} {one.how}, but lines of {told}"
    for result in (result for result in found.results if result["player"]):
        lines = own[result["table"], result["game"] or str(result["round"]), result["player"]]
        if result["points"] != lines:
            yield f"{result} has lines of {lines}"


def _points_of(now: Tournament, one: Outcome) -> Iterator[tuple[int, int]]:
    """Yield each entrant of a table with their points. The partner of somebody who did not come has those of who came."""
    came, missing = now.plan.scoring.forfeit_points
    for party, points in zip(one.parties, one.points or (), strict=bool(one.points)):
        for entrant in party:
            yield entrant, points if one.how != "forfeited" else missing if entrant in one.absent else came


def _of_seats(hall: Hall, found: Reading) -> Iterator[str]:
    """The page of a round names who sat there: those of its games' lines, or of the line-up of that round."""
    round = hall.one_of(found.now.rounds)
    if round is None:
        return
    told = hall.get(f"/rounds/{round.number}").json()
    for table in told["tables"]:
        names = [{seat["player"], *(one["player"] for one in seat.get("earlier", ()))} for seat in table["seats"]]
        if table["how"] == "entered":
            planned = found.now.players(round.number, tuple(seat["entrant"] for seat in table["seats"]))
            if [{one} for one in planned] != names:
                yield f"round {round.number} table {table['table']}: {names} sit there, entered are {planned}"
        if table["how"] == "games":
            here = (line for line in found.lines if (line["round"], line["table"]) == (round.number, table["table"]))
            played = {line["player"] for line in here if line["hand"] is not None}
            if not played <= set().union(*names):
                yield f"round {round.number} table {table['table']}: {played} have lines, {names} sit there"


def _of_standings(found: Reading) -> Iterator[str]:
    """Scores are those of the tables; the parts of a score add up to it; places follow the score."""
    plan = found.now.plan
    out = {line["entrant"] for line in found.standings if line["taken_out"]}
    rounds = rounds_reckoned(plan, found.outcomes, found.now.byes, out)
    for line in found.standings:
        own = total(rounds.values(), line["entrant"]) if line["entrant"] not in out else 0
        if not plan.smaller_tables and abs(float(own) - line["score"]) > 1e-9:
            yield f"entrant {line['entrant']} has {line['score']}, reckoned {own}"
        if abs(sum(part["value"] for part in line["parts"] if part["counts"]) - line["score"]) > 1e-9:
            yield f"entrant {line['entrant']}: the parts do not add up: {line}"
    kept = [line for line in found.standings if not line["taken_out"]]
    places = [line["place"] for line in found.standings]
    if places != sorted(places):
        yield f"places do not rise: {places}"
    scores = [line["score"] for line in kept]
    if plan.format != "knockout" and scores != sorted(scores, reverse=True):
        yield f"scores do not fall: {scores}"


_ROW = re.compile(r'<tr role="row"><td class="number place" role="cell">([^<]*)</td>.*?role="cell" data-label="[^"]*">(\d+)</td>')


def _of_exports(hall: Hall, found: Reading) -> Iterator[str]:
    """The file and the page to print say what the answer says."""
    told = [(line["place"], line["entrant"], line["score"]) for line in found.standings]
    file = csv.DictReader(io.StringIO(hall.get("/standings?format=csv").text))
    if [(int(row["place"]), int(row["entrant"]), float(row["score"])) for row in file] != told:
        yield "the file of the standings is another one"
    page = _ROW.findall(hall.get("/standings?format=html").text)
    if [(place, int(entrant)) for place, entrant in page] != [
        ("–" if line["taken_out"] else str(line["place"]), line["entrant"]) for line in found.standings
    ]:
        yield f"the page of the standings is another one: {page}"
    lines = csv.DictReader(io.StringIO(hall.get(f"/v1/scores?tournament={hall.id}&format=csv").text))
    counted = [(row["player"], int(row["points"])) for row in lines if row["state"] == "counted"]
    if counted != [(line["player"] or "", line["points"]) for line in found.lines]:
        yield "the file of score lines is another one"


def _of_histories(hall: Hall, found: Reading) -> Iterator[str]:
    """The totals of a player are the sums of their lines, without forfeits and games of which no hand is over."""
    listed = {(one["game"], one["player"]) for one in found.results}
    for player in hall.some_of(sorted({line["player"] for line in found.lines if line["player"]}), 2):
        own = sum(
            line["points"]
            for line in found.lines
            if line["player"] == player and line["how"] != "forfeited" and (line["game"], player) in listed
        )
        totals = hall.get(f"/v1/players/{player}/scores?tournament={hall.id}").json()["totals"]
        if sum(one["points"] for one in totals) != own:
            yield f"{player}: {totals}, but lines of {own}"
