"""The course of a random tournament: acts by chance, a draw, results, and so on to its end; and what has to hold on the way."""

from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from domain.standings.plan import players_per_entry
from domain.tournament.bracket import entrants_out
from domain.tournament.tally import missing_results
from domain.tournament.tournament import Tournament
from tests.api.conftest import Service, running, settings_of, without_limits
from tests.tournaments.acts import ACTS, RARE, report
from tests.tournaments.checks import breaches
from tests.tournaments.draws import draw_breaches
from tests.tournaments.hall import BreachError, Hall
from tests.tournaments.plans import KINDS, announcement

_MOST_ROUNDS = 12
"""A round robin goes on as long as there is time; a knock-out that is not over by then has no end."""
_OVER = ("no_more_rounds", "knockout_over", "too_few_entrants", "nobody_entered")


def play_tournaments(number: int, seed: object) -> Iterator[Hall]:
    """Play so many tournaments, of every kind in turn, in a service of their own. Raises ``BreachError`` at the first breach."""
    with TemporaryDirectory() as folder, running(settings_of(Path(folder)), without_limits) as service:
        for place, kind in zip(range(number), cycle(KINDS), strict=False):
            yield play_tournament(service, kind, f"{kind} {seed} {place}")


def play_tournament(service: Service, kind: str, seed: str) -> Hall:
    """Play a tournament of a kind to its end. Raises ``BreachError`` where a law does not hold."""
    chance = Random(seed)
    hall = Hall(service, "t" + "".join(one if one.isalnum() else "-" for one in seed), chance)
    try:
        _announce(hall, announcement(kind, chance))
        for _ in range(chance.randint(5, 8) if kind == "round robin" else _MOST_ROUNDS):
            _act(hall, 5)
            if not _draw(hall):
                break
            _act(hall, 8)
            _close(hall)
            _check(hall)
        if hall.now.plan.format == "knockout" and not hall.tried["pair_round", "knockout_over"]:
            raise BreachError("the knock-out does not end")
        _end(hall)
    except Exception as error:
        raise BreachError("\n".join((f"{kind}, {seed}: {error}", *hall.log[-40:]))) from error
    return hall


def _announce(hall: Hall, plan: dict[str, Any]) -> None:
    _require(hall.post("announce", "/v1/tournaments", {"id": hall.id, **plan}))
    each, most = players_per_entry(hall.now.plan), 12 if plan["ruleset"] == "alcasan" else 9
    players = [hall.new_players(number, each) for number in range(1, hall.chance.randint(4, most) + 1)]
    entries = [{"players": one, "rating": hall.chance.choice((None, 1500 + number))} for number, one in enumerate(players)]
    _require(hall.post("enter", "/entries", {"entries": entries}))
    for one, *_ in players if hall.now.rules.apart else ():
        club = hall.chance.choice(("north", "south", None))
        _require(hall.post("register", "/v1/players", {"id": one, "name": f"Player {one}", "club": club}))


def _require(answer: Any) -> Any:
    if answer.status_code == 422:
        raise BreachError(f"refused: {answer.text}")
    return answer


def _act(hall: Hall, most: int) -> None:
    """Try some acts by chance, and look now and then whether everything still adds up."""
    names = sorted(ACTS)
    weights = [1 if name in RARE else 3 for name in names]
    for name in hall.chance.choices(names, weights, k=hall.chance.randint(0, most)):
        request = ACTS[name](hall, hall.now)
        if request is not None:
            hall.post(name, *request)
            if hall.happens(0.15):
                _check(hall)


def _check(hall: Hall) -> None:
    hall.checks += 1
    if found := list(breaches(hall)):
        raise BreachError("; ".join(found))


# The course


def _draw(hall: Hall) -> bool:
    """Pair the next round; return whether there is one. A table of a knock-out without a winner gets one before."""
    for _ in range(_MOST_ROUNDS):
        if hall.now.open_round is not None:  # an act has paired, or the end was taken back
            return True
        before, outcomes = hall.now, hall.outcomes()
        answer = hall.post("pair_round", "/rounds", _by_hand(hall) if _is_by_hand(hall, before) else {})
        if answer.status_code == 201:
            if found := list(draw_breaches(before, outcomes, hall.now, answer.json().get("remarks", ()))):
                raise BreachError("; ".join(found))
            return True
        told = answer.json()
        if told["code"] in _OVER:
            return False
        if told["code"] == "knockout_undecided":
            _decide(hall, len(before.rounds))
        elif "tables" not in hall.log[-1]:  # by hand anything may be wrong
            raise BreachError(f"there is no way to pair: {told}")
    raise BreachError("no round can be paired")


def _is_by_hand(hall: Hall, now: Tournament) -> bool:
    """By hand everybody may go on in a knock-out, and then it has no end."""
    return now.plan.format == "manual" or (now.plan.format != "knockout" and hall.happens(0.1))


def _by_hand(hall: Hall) -> dict[str, Any]:
    now = hall.now
    there = [one.number for one in now.active(now.next_round)]
    hall.chance.shuffle(there)
    shape = [1 if now.plan.entrants == "parties" else len(party) for party in now.plan.parties]
    tables = []
    while len(there) >= sum(shape):
        tables.append({"parties": [[there.pop() for _ in range(size)] for size in shape]})
    return {"tables": tables, "byes": there}


def _decide(hall: Hall, round: int) -> None:
    for outcome in hall.outcomes():
        if outcome.round == round and outcome.points is not None and len({*outcome.rank_key}) == 1:
            _require(hall.post("enter_result", f"PUT /rounds/{round}/tables/{outcome.table}/result", {"points": [9, 4]}))
        if outcome.round == round and outcome.points is None:
            _require(hall.post("enter_result", f"PUT /rounds/{round}/tables/{outcome.table}/result", {"points": [4, 9]}))


def _close(hall: Hall) -> None:
    """Bring every table of the round in play to a result and close it."""
    if hall.now.open_round is None:
        return
    for _ in range(3):
        for name in _tables_to_settle(hall):
            _settle(hall, name)
    number = hall.now.open_round
    for name in _tables_to_settle(hall):
        _require(hall.post("enter_result", f"PUT /rounds/{number}/tables/{name}/result", {"points": _points_at(hall, name)}))
    _require(hall.post("close_round", f"/rounds/{number}/closing", {}))


def _tables_to_settle(hall: Hall) -> Iterator[str]:
    now = hall.now
    yield from dict.fromkeys(one.table for one in missing_results(now, hall.games(), now.open_round or 0))


def _points_at(hall: Hall, name: str) -> list[int]:
    now = hall.now
    return hall.points(len(now.parties(now.table(now.rounds[-1].number, name).seats)))


def _settle(hall: Hall, name: str) -> None:
    """Try one way to a result."""
    now = hall.now
    at = f"/rounds/{now.open_round}/tables/{name}"
    seats = now.table(now.rounds[-1].number, name).seats
    match hall.chance.choice(("played", "played", "played", "said", "decided", "forfeited")):
        case "played":
            _play_games(hall, name)
        case "said":
            points = _points_at(hall, name)
            for party in now.parties(seats):
                hall.post("enter_result", f"PUT {at}/result", {"points": points, "side": party[0]})
        case "decided":
            hall.post("enter_result", f"PUT {at}/result", {"points": _points_at(hall, name)})
        case _:
            hall.post("forfeit", f"{at}/forfeit", {"absent": [hall.chance.choice(seats)]})


def _play_games(hall: Hall, name: str) -> None:
    number = hall.now.rounds[-1].number
    for _ in range(hall.now.plan.games):
        hall.post("open_round_games", f"/rounds/{number}/games", {"tables": [name]})
        for game in (one for one in hall.games() if (one.round, one.table) == (number, name) and not one.counts):
            path = f"/v1/games/{game.game}"
            while (hand := report(hall, game)) and hall.happens(0.9):
                hall.post("deal", f"{path}/hands", hand)
                game = next(one for one in hall.games() if one.game == game.game)
            if not game.counts:
                hall.post("abandon", f"{path}/abandonment", {"reason": "time is up"})


def _end(hall: Hall) -> None:
    """End the tournament; correct something after its end; then once more open it, and end it again."""
    for again in (False, True):
        if hall.now.rounds:
            _close(hall)
            for outcome in (one for one in hall.outcomes() if one.points is None):
                points = [9 - party for party in range(len(outcome.parties))]
                _require(hall.post("enter_result", f"PUT /rounds/{outcome.round}/tables/{outcome.table}/result", {"points": points}))
            _require(hall.post("end_tournament", "/ending", {}))
        else:
            _require(hall.post("end_tournament", "/ending", {"how": "cancelled"}))
        _check(hall)
        if again:
            break
        _act(hall, 4)
        if hall.now.ended:
            hall.post("reopen_tournament", "/reopening", {})
        _act(hall, 3)
    _check_winner(hall)
    verdict = hall.get("/audit").json()
    if verdict["verdict"] != "sound":
        raise BreachError(f"the audit is not sound: {verdict}")


def _check_winner(hall: Hall) -> None:
    """A knock-out that is over has one winner: whoever won the last table."""
    now = hall.now
    if now.plan.format != "knockout" or not hall.tried["pair_round", "knockout_over"]:
        return
    last = [one for one in hall.outcomes() if one.round == len(now.rounds) and not one.third_place]
    lost = {entrant for one in last for entrant in entrants_out(one) or ()}
    left = now.rounds[-1].bracket_entrants - lost
    first = [line["entrant"] for line in hall.get("/standings").json()["lines"] if line["place"] == 1]
    if len(left) == 1 and first != [*left]:
        raise BreachError(f"the knock-out is over, {left} won it, and {first} are first")
