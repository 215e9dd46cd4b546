"""The closed table of the acts that occur in random tournaments: for each operation a request by chance, where one is at hand."""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from domain.standings.plan import players_per_entry
from domain.tournament.games import TableGame
from domain.tournament.tournament import Tournament
from tests.evening.book import below
from tests.tournaments.hall import Hall

Act: TypeAlias = Callable[[Hall, Tournament], tuple[str, Any] | None]
"""Returns the path of a request and its body, or None where there is nothing to do."""


# Entries


def _enter(hall: Hall, now: Tournament) -> tuple[str, Any]:
    players = hall.new_players(len(now.entrants) + 1, players_per_entry(now.plan))
    later = {"from_round": now.next_round + 1} if hall.happens(0.3) else {}
    return "/entries", {"players": players, "rating": hall.chance.choice((None, 1200, 1800)), **later}


def _about_entrant(act: str, body: Callable[[Hall, Tournament, int], dict[str, Any] | None]) -> Act:
    def request(hall: Hall, now: Tournament) -> tuple[str, Any] | None:
        one = hall.someone(now)
        given = body(hall, now, one.number) if one else None
        return None if one is None or given is None else (f"/entries/{one.number}/{act}", given)

    return request


def _withdraw(hall: Hall, now: Tournament, _: int) -> dict[str, Any] | None:
    if len(now.active(now.next_round)) < 5:
        return None
    first = now.next_round + hall.chance.randint(0, 1)
    way = hall.chance.choice(("at once", "later", "sits out"))
    return {} if way == "at once" else {"from_round": first, **({"back_from": first + 1} if way == "sits out" else {})}


def _substitute(hall: Hall, now: Tournament, entrant: int) -> dict[str, Any]:
    players = hall.new_players(entrant, players_per_entry(now.plan))
    back = {"back_from": now.next_round + hall.chance.randint(0, 1)} if hall.happens(0.5) else {}
    return {"players": players, **back}


def _rectify_entry(hall: Hall, now: Tournament, entrant: int) -> dict[str, Any]:
    players = hall.new_players(entrant, players_per_entry(now.plan))
    first = hall.chance.choice((None, None, hall.chance.randint(1, now.next_round)))
    back = {"back_from": hall.chance.randint(2, now.next_round + 1)} if hall.happens(0.3) else {}
    return {"players": players, **({} if first is None else {"from_round": first}), **back}


# Wishes, presence


def _wish(hall: Hall, now: Tournament) -> tuple[str, Any] | None:
    there = [one.number for one in now.active(now.next_round)]
    if len(there) < 3:
        return None
    kind = hall.chance.choice(("half_bye", "table", "apart", "meet"))
    number = {"half_bye": 1, "table": 1, "meet": 2, "apart": hall.chance.randint(2, 3)}[kind]
    table = {"table": hall.chance.choice(("1", "2", "12", "window"))} if kind == "table" else {}
    round = {"round": now.next_round + hall.chance.randint(0, 1)} if hall.happens(0.3) else {}
    return "/wishes", {"kind": kind, "entrants": hall.chance.sample(there, number), **table, **round}


def _withdraw_wish(hall: Hall, now: Tournament) -> tuple[str, Any] | None:
    wish = hall.one_of(now.wishes)
    return (f"/wishes/{wish.number}/withdrawal", {}) if wish else None


def _presence(hall: Hall, now: Tournament) -> tuple[str, Any] | None:
    there = [one.number for one in now.entrants if one.from_round <= now.next_round and not one.is_gone(now.next_round)]
    absent = hall.chance.sample(there, hall.chance.randint(0, 2)) if len(there) > 5 else []
    return "/presence", {"absent": absent}


# The round in play


def _change_round(hall: Hall, now: Tournament) -> tuple[str, Any] | None:
    if now.open_round is None:
        return None
    way = hall.chance.choice(("swap", "swap", "swap", "bye", "dissolve", "late", "absent", "take back"))
    body = {"take_back": True} if way == "take back" else _change(hall, now, way)
    as_played = {"as_played": True} if way == "swap" and hall.happens(0.4) else {}
    return (f"/rounds/{now.open_round}/change", {**body, **as_played}) if body else None


def _change(hall: Hall, now: Tournament, way: str) -> dict[str, Any] | None:
    round = now.rounds[-1]
    free = [table for table in round.tables if hall.happens(0.3) or not (table.entered or table.absent)]
    if not free:
        return None
    one, other = hall.chance.choice(free), hall.chance.choice(free)
    parties, others = ([list(party) for party in now.parties(table.seats)] for table in (one, other))
    waiting = [entrant.number for entrant in now.entrants if entrant.number not in round.entrants]
    match way:
        case "swap" if one is not other:
            parties[0][0], others[-1][0] = others[-1][0], parties[0][0]
            return {"tables": [{"table": one.name, "parties": parties}, {"table": other.name, "parties": others}]}
        case "swap":
            return {"tables": [{"table": one.name, "parties": parties[::-1]}]}
        case "bye" if round.byes:
            out, parties[-1][0] = parties[-1][0], hall.chance.choice(round.byes)
            return {"tables": [{"table": one.name, "parties": parties}], "byes": [out]}
        case "late" if waiting:
            out, parties[0][0] = parties[0][0], hall.chance.choice(waiting)
            return {"tables": [{"table": one.name, "parties": parties}], hall.chance.choice(("byes", "absent")): [out]}
        case "absent" if len(round.tables) > 1:
            out, *rest = [entrant for party in parties for entrant in party]
            return {"dissolve": [one.name], "absent": [out], "byes": rest}
        case _:
            return {"dissolve": [one.name], "byes": [entrant for party in parties for entrant in party]}


def _open_games(hall: Hall, now: Tournament) -> tuple[str, Any] | None:
    if now.open_round is None:
        return None
    names = [table.name for table in now.rounds[-1].tables]
    return f"/rounds/{now.open_round}/games", {"tables": hall.some_of(names, 2)} if names and hall.happens(0.7) else {}


# Results


def _at_table(act: str, body: Callable[[Hall, Tournament, tuple[int, ...]], dict[str, Any]]) -> Act:
    def request(hall: Hall, now: Tournament) -> tuple[str, Any] | None:
        found = hall.some_table(now)
        if found is None:
            return None
        round, table = found
        return below(f"/rounds/{round}/tables/{table.name}", act), body(hall, now, table.seats)

    return request


def _result(hall: Hall, now: Tournament, seats: tuple[int, ...]) -> dict[str, Any]:
    side = {"side": hall.chance.choice(seats)} if hall.happens(0.4) else {}
    return {"points": hall.points(len(now.parties(seats))), **side}


# Games


def _in_game(path: str, body: Callable[[Hall, TableGame], dict[str, Any] | None]) -> Act:
    def request(hall: Hall, _: Tournament) -> tuple[str, Any] | None:
        game = hall.one_of(hall.games())
        given = game and body(hall, game)
        return None if game is None or given is None else (below(f"/v1/games/{game.game}", path), given)

    return request


def report(hall: Hall, game: TableGame) -> dict[str, Any] | None:
    """Return a reported hand; now and then the last one."""
    if game.places is not None:
        return None
    points = [hall.chance.randint(0, 11) for _ in game.parties]
    points[hall.chance.randrange(len(points))] += 21 * hall.happens(0.5)
    return {"dealer": hall.hands[str(game.game)] % len(game.players), "result": {"points": points}}


def _adjust(hall: Hall, game: TableGame) -> dict[str, Any]:
    party, points = hall.chance.randrange(len(game.parties)), hall.chance.choice((-9, -4, 5, 20))
    return {"adjustments": [{"party": party, "points": points}], "reason": "counted again"}


def _correct_players(hall: Hall, game: TableGame) -> dict[str, Any]:
    """The same players on other seats, from some hand on."""
    hand = hall.chance.choice((1, 1, 2, 3))
    return {"players": hall.chance.sample(game.players, len(game.players)), "from_hand": hand}


def _seat(hall: Hall, game: TableGame) -> dict[str, Any]:
    seat = hall.chance.randrange(len(game.players))
    return {"seat": seat, "player": hall.chance.choice((game.players[seat], game.players[0]))}


def _state(reason: str) -> Callable[[Hall, TableGame], dict[str, Any]]:
    return lambda hall, game: {"reason": reason}


# The tournament


def _correct(hall: Hall, now: Tournament) -> tuple[str, Any] | None:
    return None if now.plan.rounds is None else ("/correction", {"rounds": now.plan.rounds + hall.chance.choice((-1, 1))})


def _order(hall: Hall, _: Tournament) -> tuple[str, Any] | None:
    lines = hall.get("/standings?explain=false").json()["lines"]
    one = hall.one_of(lines)
    equal = [line["entrant"] for line in lines if one and line["place"] == one["place"]]
    return ("/standings/order", {"entrants": hall.chance.sample(equal, len(equal)), "reason": "play-off"}) if len(equal) > 1 else None


def _set_prizes(hall: Hall, _: Tournament) -> tuple[str, Any]:
    return "/prizes", {"funds": [{"amounts": [100, 60, 30]}, {"category": "junior", "amounts": [hall.chance.randint(1, 50)]}]}


def _with(path: str, body: dict[str, Any]) -> Act:
    return lambda hall, now: (path, body)


def _label(hall: Hall, _: Tournament, entrant: int) -> dict[str, Any]:
    return {"club": hall.chance.choice(("north", "south")), "category": hall.chance.choice(("junior", "senior"))}


ACTS: Mapping[str, Act] = {
    "enter_tournament": _enter,
    "rate_entry": _about_entrant("rating", lambda hall, now, entrant: {"rating": hall.chance.choice((None, 1000, 2000))}),
    "label_entry": _about_entrant("labels", _label),
    "withdraw_entry": _about_entrant("withdrawal", _withdraw),
    "return_entry": _about_entrant("return", lambda hall, now, entrant: {}),
    "substitute": _about_entrant("substitution", _substitute),
    "rectify_entry": _about_entrant("rectification", _rectify_entry),
    "record_wish": _wish,
    "withdraw_wish": _withdraw_wish,
    "check_presence": _presence,
    "change_round": _change_round,
    "unpair_round": _with("/unpairing", {}),
    "open_round_games": _open_games,
    "enter_result": _at_table("PUT result", _result),
    "confirm_result": _at_table("confirmation", lambda hall, now, seats: {"side": hall.chance.choice(seats)}),
    "forfeit": _at_table("forfeit", lambda hall, now, seats: {"absent": hall.some_of(sorted({*seats}), 2)}),
    "adjourn": _at_table("adjournment", lambda hall, now, seats: {}),
    "notify_table": _at_table(
        "notice",
        lambda hall, now, seats: {"extra_minutes": hall.chance.choice((0, 5)), "called": hall.happens(0.5), "calls": hall.happens(0.2)},
    ),
    "withdraw_result": _at_table("DELETE result", lambda hall, now, seats: {}),
    "deal": _in_game("hands", report),
    "adjust": _in_game("adjustments", _adjust),
    "suspend": _in_game("PUT suspension", _state("a break")),
    "resume": _in_game("DELETE suspension", _state("it goes on")),
    "abandon": _in_game("abandonment", _state("time is up")),
    "annul": _in_game("annulment", _state("another deck")),
    "rectify_players": _in_game("seating", _correct_players),
    "seat_player": _in_game("players", _seat),
    "correct_tournament": _correct,
    "order_standings": _order,
    "set_prizes": _set_prizes,
    "choose_time_zone": _with("/time-zone", {"time_zone": "Europe/Berlin"}),
    "set_schedule": _with("/schedule", {"starts": ["2026-11-28T19:30", "2026-11-28T20:30"]}),
    "choose_hall_names": _with("/hall-names", {"hall_names": "aliases"}),
    "reopen_tournament": _with("/reopening", {"reason": "by mistake"}),
}
"""Acts by chance, by their operation."""

COURSE = {"pair_round", "close_round", "end_tournament"}
"""Acts that bring a tournament to its end, in their order."""

RARE = {"annul", "abandon", "withdraw_entry", "withdraw_result", "forfeit", "adjourn", "suspend", "unpair_round", "correct_tournament"}
"""Acts that would leave little to do if they were as frequent as the others."""

LEFT_OUT: Mapping[str, set[str]] = {
    "moves of cards, tried by the laws of games": {"play", "tell", "rewind", "let_stand", "rectify", "stop_hand", "type_dice"},
    "fair decks": {"begin_shuffle", "join_shuffle", "open_chance", "prepare_boards"},
    "lists of earlier tournaments": {"withdraw_import"},
    "records nothing": {"try_moves", "judge_move", "reconcile", "try_result", "hand_over_recording"},
    "what the wall shows": {"put_wall"},
    "disputes, whose rulings adjust points as well": {"raise_dispute", "appeal", "withdraw_dispute", "rule"},
    "words, signatures and readers": {
        "add_note",
        "sign_sheet",
        "withdraw_signature",
        "disclose",
        "erase_words",
        "erase_meta",
        "erase_tournament_words",
        "publish_tournament",
    },
}
"""Operations that do not occur, with the reason."""
