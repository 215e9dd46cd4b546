"""Another reckoner of series, written from the design and not from the code: plain numbers, dictionaries and lists.

It knows of the product only what is given: the plan, the standings of the tournaments, and the drawing of a lot.
"""

import hashlib
from collections import defaultdict
from fractions import Fraction
from functools import cmp_to_key
from typing import Any


def line_up(entrant, round):
    """The players of an entrant in a round: the substitutes of that round, else the latest line-up for good."""
    now: Any = None
    for one in entrant.line_ups:
        if one.from_round <= round and (one.back_from is None or round < one.back_from):
            now = one
    return now.players


def tournament(of, rows, weight, person):
    """The tournament as plain data. Whoever sat at a table that counts played."""
    came = []
    for row in rows:
        tables = [part.round for part in row.parts if part.how == "played" and part.counts]
        if tables:
            entrant = of.entrants[row.entrant - 1]
            teams = {tuple(person(player) for player in line_up(entrant, round)) for round in tables}
            came.append({"entrant": row.entrant, "was": row.place, "score": row.score, "teams": teams, "club": entrant.labels.club})
    for one in came:
        one["place"] = 1 + len([other for other in came if other["was"] < one["was"]])
    partners = of.plan.entrants == "parties" and len(of.plan.parties[0]) == 2
    return {"id": of.plan.tournament, "end": of.ended_at, "weight": weight, "came": came, "partners": partners, "seed": of.plan.seed}


def points_in(plan, night):
    n, came = len(night["came"]), night["came"]
    best = max([one["score"] for one in came], default=Fraction(0))

    def of_place(place):
        if plan.points.by == "field":
            return Fraction(100) * (n - place + 1) / n
        return Fraction(plan.points.table[place - 1]) if place <= len(plan.points.table) else Fraction(0)

    found = {}
    for one in came:
        if plan.points.by == "score":
            value = Fraction(one["score"])
        elif plan.points.by == "percent":
            value = Fraction(one["score"]) * 100 / best if best > 0 else Fraction(0)
        elif plan.points.ties == "best":
            value = of_place(one["place"])
        else:
            together = len([other for other in came if other["place"] == one["place"]])
            value = sum(of_place(one["place"] + more) for more in range(together)) / Fraction(together)
        found[one["entrant"]] = value * night["weight"]
    return found


def everybody(plan, nights, key):
    """Results by whom ``key`` names for a team: (night, entrant, place, points), the best of a night."""
    found: Any = defaultdict(dict)
    for night in nights:
        points = points_in(plan, night)
        for one in night["came"]:
            for team in one["teams"]:
                for who in key(team):
                    mine = (night["id"], one["entrant"], one["place"], points[one["entrant"]], one["club"])
                    before = found[who].get(night["id"])
                    if before is None or before[3] < mine[3]:
                        found[who][night["id"]] = mine
    return found


def reckon(series, nights, person, club_of):
    """All tables, each a list of (place, who, points)."""
    plan = series.plan
    last = max((night["end"] for night in nights if night["end"]), default=None)
    nights = sorted(nights, key=lambda night: (night["end"] is None, night["end"] or last))
    extra: Any = defaultdict(int)
    for one in series.adjustments:
        extra[(person(one.player),)] += one.points
    players = everybody(plan, nights, lambda team: [(player,) for player in team])
    for who in extra:
        players[who]
    tables = {("players", None): table(plan, nights, players, extra)}
    if plan.tables.category:
        called = {}
        for one in series.categories:
            called[(person(one.player),)] = one.category
        for category in {name for name in called.values() if name}:
            some = {who: results for who, results in players.items() if called.get(who) == category}
            tables[("category", category)] = table(plan, nights, some, extra)
    if plan.tables.club is not None:
        tables[("club", None)] = table(plan, nights, clubs(plan, players, nights, club_of), {})
    if plan.tables.partnership:
        pairs = [night for night in nights if night["partners"]]
        found = everybody(plan, pairs, lambda team: [tuple(sorted(team))] if len(set(team)) == 2 else [])
        tables[("partnership", None)] = table(plan, nights, found, {})
    return tables


def clubs(plan, players, nights, club_of):
    found: Any = defaultdict(dict)
    for night in nights:
        members = defaultdict(list)
        for (player,), results in players.items():
            if night["id"] in results:
                result = results[night["id"]]
                if result[4] or club_of(player):
                    members[result[4] or club_of(player)].append(result)
        for club, results in members.items():
            best = sorted(results, key=lambda one: (-one[3], one[2]))[: plan.tables.club]
            found[(club,)][night["id"]] = (night["id"], None, min(one[2] for one in best), sum(one[3] for one in best), None)
    return found


def table(plan, nights, found, extra):
    order = [night["id"] for night in nights]
    seed = ":".join(night["seed"] for night in nights if night["seed"])
    lines: list[dict[str, Any]] = []
    for who, results in found.items():
        mine = [results[id] for id in order if id in results]
        values = sorted((one[3] for one in mine), reverse=True)
        total = sum(values[: plan.best] if plan.best else values) + Fraction(extra.get(who, 0))
        lines.append({"who": who, "results": mine, "total": total, "values": values})
    above = [line for line in lines if len(line["results"]) >= plan.minimum]
    below = [line for line in lines if len(line["results"]) < plan.minimum]
    told: list[Any] = []
    place = 1
    for group in ordered(plan, above, seed):
        told += [(place, line["who"], line["total"]) for line in sorted(group, key=lambda line: line["who"])]
        place += len(group)
    for group in ordered(plan, below, seed):
        told += [(None, line["who"], line["total"]) for line in sorted(group, key=lambda line: line["who"])]
    return told


def ordered(plan, lines, seed):
    groups = apart(lines, lambda one, other: compare(one["total"], other["total"]))
    for name in plan.tie_breaks:
        groups = [part for group in groups for part in broken(name, group, seed)]
    return groups


def broken(name, group, seed):
    if len(group) == 1:
        return [group]
    if name == "direct_comparison":
        shared = set.intersection(*({one[0] for one in line["results"]} for line in group))
        parts = apart(group, lambda one, other: compare(inside(one, shared), inside(other, shared)))
        return parts if len(parts) == 1 else [last for part in parts for last in broken(name, part, seed)]
    return apart(group, lambda one, other: TIE_BREAKS[name](one, other, seed))


def inside(line, shared):
    return sum((one[3] for one in line["results"] if one[0] in shared), Fraction(0))


def compare(one, other):
    return (one > other) - (one < other)


def firsts(line):
    return len([one for one in line["results"] if one[2] == 1])


def by_best(one, other, _):
    length = max(len(one["values"]), len(other["values"]))
    padded = [sorted(line["values"] + [Fraction(0)] * (length - len(line["values"])), reverse=True) for line in (one, other)]
    for mine, yours in zip(*padded, strict=True):
        if mine != yours:
            return compare(mine, yours)
    return 0


def by_latest(one, other, _):
    values = [line["results"][-1][3] if line["results"] else None for line in (one, other)]
    if None in values:
        return (values[0] is not None) - (values[1] is not None)
    return compare(*values)


def by_lot(one, other, seed):
    drawn = [hashlib.sha256(":".join([seed, "series", *line["who"]]).encode()).hexdigest()[:12] for line in (one, other)]
    return compare(drawn[1], drawn[0]) if seed else 0


TIE_BREAKS = {
    "first_places": lambda one, other, _: compare(firsts(one), firsts(other)),
    "best_results": by_best,
    "tournaments": lambda one, other, _: compare(len(one["results"]), len(other["results"])),
    "latest_result": by_latest,
    "lots": by_lot,
}


def apart(lines, better):
    """The lines in groups of equals, the best first."""
    groups: list[Any] = []
    for line in sorted(lines, key=cmp_to_key(better), reverse=True):
        if groups and better(groups[-1][0], line) == 0:
            groups[-1].append(line)
        else:
            groups.append([line])
    return groups
