"""Statistics over HTTP: the figures of random games, reckoned anew from whole tables, score sheets and lists of games."""

import csv
import io
import math
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any
from uuid import UUID

import pytest

from api.games import tally
from api.http.request import add_part
from api.services import Sources
from tests.api.conftest import Caller, Service, running, settings_of
from tests.api.play import finish_hand, moves_to_the_end

Json = dict[str, Any]
TOURNAMENT = "stats"


@pytest.fixture(scope="module")
def season(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """Finished games of two rulesets, of partners among them, with hands taken back; one that was annulled, and one in play."""
    with running(settings_of(tmp_path_factory.mktemp("season"))) as service:
        recorder, chance = service.caller("recorder"), Random(5)
        service.caller("director").post(
            "/v1/tournaments", {"id": TOURNAMENT, "title": "Season", "ruleset": "casino", "seats": 2, "format": "manual"}
        )
        for number in range(4):
            players = chance.sample(["anna", "ben", "cleo", "dora"], 4)
            play_game(recorder, chance, ruleset="casino", seats=4, players=players, options={"partners": True, "target": 5})
            play_game(recorder, chance, players=players[:2], tournament=TOURNAMENT, options={"target": 6 + 5 * (number % 2)})
        play_game(recorder, chance, ruleset="canasta", options={"end": "hands", "hand_count": 2})
        annulled = play_game(recorder, chance)
        assert service.caller("arbiter").post(f"/v1/games/{annulled}/annulment", {"reason": "Wrong deck."}).is_success
        begun = recorder.open()
        recorder.deal(begun)
        finish_hand(recorder, begun, chance)
        yield service


def play_game(caller: Caller, chance: Random, **wanted: Any) -> str:
    game = caller.open(**{"options": {"target": 5}, **wanted})
    while not (about := caller.get(f"/v1/games/{game}").json())["finished"]:
        caller.deal(game, dealer=about["hand"] % about["seats"])
        moves = moves_to_the_end(caller, game, chance)
        caller.post(f"/v1/games/{game}/moves", {"moves": moves[:2]})
        if chance.random() < 0.5:
            position = caller.get(f"/v1/games/{game}").json()["position"]
            assert caller.post(f"/v1/games/{game}/rewinds", {"to": position - 1}).is_success
        finish_hand(caller, game, chance)
    return game


def read(caller: Caller, **query: Any) -> Json:
    answer = caller.get("/v1/statistics", params={"ruleset": "casino", **query})
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def rows(caller: Caller, table: str, **query: Any) -> list[Json]:
    found: list[Json] = []
    cursor: dict[str, str] = {}
    while True:
        page = caller.get(f"/v1/{table}", params={"limit": 20, **query, **cursor}).json()
        found += page["items"]
        if page["next"] is None:
            return found
        cursor = {"cursor": page["next"]}


def reckon(caller: Caller, ruleset: str, **query: Any) -> dict[tuple[str, str | None], tuple[int, int, float]]:
    """Count and total of each figure, and its value: from lists, whole tables and score sheets alone."""
    games = {one["id"]: one for one in rows(caller, "games", ruleset=ruleset, finished=True, **query) if one["state"] != "annulled"}
    sheets = {game: caller.get(f"/v1/games/{game}/score-sheet").json() for game in games}
    hands = [one for one in rows(caller, "tables/hands", ruleset=ruleset, **query) if one["game"] in games]
    moves = [one for one in rows(caller, "tables/moves", ruleset=ruleset, **query) if one["game"] in games and not one["void"]]
    found: dict[tuple[str, str | None], list[float]] = {}

    def add(figure: str, group: str | None, value: float) -> None:
        found.setdefault((figure, group), []).append(value)

    for game, sheet in sheets.items():
        for party, seats in enumerate(sheet["parties"]):
            names = sorted(games[game]["players"][seat] or "" for seat in seats)
            for seat in seats:
                add("win_by_seat", str(seat), sheet["places"][party] == 1)
            if len(seats) == 2 and all(names):
                add("partners_together", "+".join(names), sheet["places"][party] == 1)
        for hand in sheet["hands"]:
            dealer = next(number for number, seats in enumerate(sheet["parties"]) if hand["dealer"] in seats)
            add("win_as_dealer", None, hand["points"][dealer] == max(hand["points"]))
            for party, points in enumerate(hand["points"]):
                add("hand_points", str(hand["facts"]["minimums"][party]) if ruleset == "canasta" else None, points)
    for hand in hands:
        add("hand_moves", None, hand["moves"])
    values = {key: (sum(map(bool, some)), len(some), sum(some) / len(some)) for key, some in found.items()}
    ends, types = Counter(one["end"] for one in hands), Counter(one["type"] for one in moves)
    shares = {("hand_end", end): (times, len(hands)) for end, times in ends.items()}
    shares |= {("move_type", type): (times, len(moves)) for type, times in types.items()}
    values |= {key: (count, of, count / of) for key, (count, of) in shares.items()}
    rewinds = sum(one["rewinds"] for one in hands)
    return {**values, ("corrections", None): (rewinds, len(moves), 100 * rewinds / len(moves))}


@pytest.mark.parametrize(("ruleset", "query"), [("casino", {}), ("casino", {"tournament": TOURNAMENT}), ("canasta", {})])
def test_figures_are_those_of_the_whole_tables(season: Service, ruleset: str, query: Json):
    viewer = season.caller("viewer")
    told = read(viewer, ruleset=ruleset, **query)
    figures = {
        (one["figure"], "+".join(one["players"]) if one["players"] else one["group"]): one
        for one in told["items"]
        if one["at_least"] is None and one["figure"] not in ("hand_seconds", "partners_apart", "refusals")
    }
    expected = reckon(viewer, ruleset, **query)
    assert figures.keys() == expected.keys()
    for key, (count, of, value) in expected.items():
        one = figures[key]
        assert (one["of"], one["value"]) == (of, pytest.approx(value, abs=1e-6)), key
        assert one["measure"] == "mean" or one["count"] == count, key
        assert one["low"] is None or one["low"] <= one["value"] <= one["high"], key


def test_bins_share_out_all_hands(season: Service):
    items = read(season.caller("viewer"))["items"]
    bins = [one for one in items if one["figure"] == "hand_moves" and one["at_least"] is not None]
    (whole,) = (one for one in items if one["figure"] == "hand_moves" and one["at_least"] is None)
    assert sum(one["count"] for one in bins) == whole["of"] == bins[0]["of"]
    assert [one["below"] for one in bins[:-1]] == [one["at_least"] for one in bins[1:]]
    assert math.isclose(sum(one["value"] for one in bins), 1, abs_tol=1e-4)


def test_partners_are_compared_with_their_games_apart(season: Service):
    items = read(season.caller("director"))["items"]
    together, apart = (
        {tuple(one["players"]): (one["count"], one["of"]) for one in items if one["figure"] == f"partners_{how}"}
        for how in ("together", "apart")
    )
    games = [one for one in rows(season.caller("viewer"), "games", ruleset="casino", finished=True) if one["seats"] == 4]
    assert sum(of for _, of in together.values()) == 2 * len(games)
    each = Counter(player for one in games for player in one["players"])
    assert {pair: 2 * of + apart.get(pair, (0, 0))[1] for pair, (_, of) in together.items()} == {
        pair: sum(each[player] for player in pair) for pair in together
    }


def test_the_public_sees_published_tournaments_and_a_club_its_own(season: Service):
    director, public = season.caller("director"), season.caller(None)
    assert read(public)["games"] == 0
    assert read(director)["games"] == 8
    director.post(f"/v1/tournaments/{TOURNAMENT}/publication", {"publication": "aliases"})
    told = read(public)
    assert (told["games"], told["items"]) == (4, read(director, tournament=TOURNAMENT)["items"])


def test_only_what_changed_is_read_again(season: Service, monkeypatch: pytest.MonkeyPatch):
    recorder, viewer, read_games, real = season.caller("recorder"), season.caller("viewer"), list[int](), tally.count_games
    before = read(viewer)

    def count_games(sources: Sources, games: tuple[UUID, ...]) -> dict[UUID, tally.Tally]:
        read_games.append(len(games))
        return real(sources, games)

    monkeypatch.setattr(tally, "count_games", count_games)
    play_game(recorder, Random(1))
    assert [read(viewer)["games"] for _ in range(2)] == [before["games"] + 1] * 2
    assert read_games == [1]


def test_refused_moves_are_counted_for_officials_of_the_whole_house_alone(season: Service):
    recorder = season.caller("recorder")
    game = recorder.open()
    recorder.deal(game)
    for dry in ("true", "false"):
        assert recorder.trail(game, 1, "AS", params={"dry_run": dry}).status_code == 422

    def refusals(caller: Caller, **query: Any) -> list[tuple[str, int]]:
        return [(one["group"], one["count"]) for one in read(caller, **query)["items"] if one["figure"] == "refusals"]

    assert [number for _, number in refusals(recorder)] == [1]
    others: tuple[tuple[Caller, Json], ...] = (
        (season.caller("viewer"), {}),
        (recorder, {"tournament": TOURNAMENT}),
        (recorder, {"to": "2026-01-01"}),
    )
    assert [refusals(caller, **query) for caller, query in others] == [[], [], []]


def test_a_first_reading_that_takes_long_is_continued_by_the_next_reader(season: Service, monkeypatch: pytest.MonkeyPatch):
    viewer = season.caller("viewer")
    whole = read(viewer, ruleset="canasta")
    add_part(season.client.app, tally.TallyCache())
    monkeypatch.setattr(tally, "PATIENCE", 0.0)
    monkeypatch.setattr(tally, "GAMES_A_STEP", 5)
    answers = [viewer.get("/v1/statistics?ruleset=casino") for _ in range(3)]
    assert [one.json().get("code") for one in answers] == ["building", None, None]
    assert read(viewer, ruleset="canasta") == whole


def test_the_file_has_the_lines_of_the_answer(season: Service):
    viewer = season.caller("viewer")
    told = read(viewer)["items"]
    lines = list(csv.DictReader(io.StringIO(viewer.get("/v1/statistics?ruleset=casino&format=csv").text)))
    assert [(one["figure"], one["group"], one["of"]) for one in lines] == [
        (one["figure"], one["group"] or "", str(one["of"])) for one in told
    ]
    assert viewer.get("/v1/statistics").json()["code"] == "bad_parameter"
