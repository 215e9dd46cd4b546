"""Visibility of names, texts and cards in `kiebitz replay`: all for an account that may read the files, else as the token permits."""

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner

from deploy.cli.main import main
from tests.api.conftest import running, settings_of, without_limits
from tests.api.tournament import announced, entered, opened, paired
from tests.deploy.serving import Served, done, play_on, served

CLAIM = "He looked at my cards.�[2J"
REASON = "Nobody saw it."
PUBLIC = "It stands."


def kiebitz(*arguments: object) -> str:
    result = CliRunner().invoke(main, [str(argument) for argument in arguments])
    assert result.exit_code == 0, result.output
    return result.stdout


def told(*arguments: object) -> str:
    return kiebitz("replay", *arguments)


def evening(client: httpx.Client) -> str:
    """A game of two members with a dispute, a substitution and two reasons, one of them told to everybody. Its id."""
    for member in (
        {"id": "p_1", "name": "Anna Müller", "alias": "Falke"},
        {"id": "p_2", "name": "Bert Kurz"},
        {"id": "p_3", "name": "Ute"},
    ):
        done(client.post("/v1/players", json=member))
    game = str(done(client.post("/v1/games", json={"ruleset": "casino", "seats": 2, "players": ["p_1", "p_2"]}))["game"])
    for _ in range(3):
        play_on(client, game)
    done(client.post(f"/v1/games/{game}/disputes", json={"position": 3, "seat": 0, "claim": "He looked at\nmy cards.\x1b[2J"}))
    done(client.post(f"/v1/games/{game}/rulings", json={"dispute": 1, "decision": "stands", "reason": REASON}))
    done(client.post(f"/v1/games/{game}/rulings", json={"decision": "stands", "reason": PUBLIC, "public": True}))
    done(client.post(f"/v1/games/{game}/players", json={"seat": 1, "player": "p_3"}))
    return game


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Served, Path]]:
    """A server, and its folder."""
    data = tmp_path_factory.mktemp("data")
    with served("--data", data) as server:
        yield server, data


@pytest.fixture(scope="module")
def recorded(service: tuple[Served, Path]) -> tuple[Path, str]:
    server, data = service
    with server.client() as client:
        return data, evening(client)


def test_who_signed_is_told_at_the_end_from_the_store_through_a_server_and_from_a_file(service: tuple[Served, Path], tmp_path: Path):
    server, data = service
    with server.client() as client:
        game = str(done(client.post("/v1/games", json={"ruleset": "alcasan", "seats": 2}))["game"])
        done(client.post(f"/v1/games/{game}/hands", json={"dealer": 0, "deck": [], "fill": "sorted"}))
        done(client.post(f"/v1/games/{game}/stoppage", json={"reason": "late"}))
        for party in (0, 1):
            done(client.post(f"/v1/games/{game}/signatures", json={"party": party, "position": 3}))
        done(client.post(f"/v1/games/{game}/adjustments", json={"adjustments": [{"party": 1, "points": 5}], "reason": "late"}))
        done(client.post(f"/v1/games/{game}/signatures", json={"party": 1, "position": 6}))
        full = tmp_path / "full.json"
        full.write_bytes(client.get(f"/v1/games/{game}/record?full=true").content)
    through = told(game, "--url", server.url, "--token", server.token)
    assert through.splitlines()[-2:] == [
        "         Party 0 signed the sheet of position 3. Changed after the signature, first at position 6: totals 0 : 0, now 0 : 5.",
        "         Party 1 signed the sheet of position 6.",
    ]
    assert told(game, "--data", data).splitlines()[-2:] == told(full).splitlines()[-2:] == through.splitlines()[-2:]
    assert told(full, "--lang", "de").splitlines()[-1] == "         Partei 1 hat den Zettel von Position 6 unterschrieben."


def words_of(text: str) -> dict[str, str]:
    """By position what was said in quotation marks."""
    lines = text.splitlines()
    return {before.split()[0]: line.strip() for before, line in pairwise(lines) if line.strip().startswith("“")}


def names_of(text: str) -> list[str]:
    """Of the seats, where the hand was dealt."""
    return [line.split(":")[0].strip() for line in text.splitlines()[2:4]]


OFFICIALS = {"5": f"“{CLAIM}”", "6": f"“{REASON}”", "7": f"“{PUBLIC}”"}
NAMES = ["seat 0 (Anna Müller)", "seat 1 (Bert Kurz)"]
ALIASES = ["seat 0 (Falke)", "seat 1"]


@pytest.mark.parametrize(
    ("view", "names", "words"),
    [
        ([], NAMES, OFFICIALS),
        (["--view", "arbiter"], NAMES, OFFICIALS),
        (["--view", "public"], ALIASES, {}),
        (["--view", "seat:0"], ALIASES, {}),
    ],
)
def test_the_store_tells_all_names_and_words_unless_somebody_elses_view_is_asked_for(
    recorded: tuple[Path, str], view: list[str], names: list[str], words: dict[str, str]
):
    data, game = recorded
    text = told(game, "--data", data, *view)
    assert (names_of(text), words_of(text)) == (names, words)


def test_through_a_server_the_token_decides_who_reads_what(service: tuple[Served, Path], recorded: tuple[Path, str]):
    data, game = recorded
    viewer, arbiter = issued(data, "viewer"), issued(data, "arbiter")

    def through(token: str | None, *view: str) -> tuple[list[str], dict[str, str]]:
        text = told(game, "--url", service[0].url, "--token", token, *view)
        return names_of(text), words_of(text)

    assert through(arbiter) == (NAMES, OFFICIALS)
    assert through(arbiter, "--view", "public") == (ALIASES, {})
    assert through(arbiter, "--view", "seat:1") == (ALIASES, {})
    # A viewer reads what is told to everybody, under any view that he may have.
    assert through(viewer) == (ALIASES, {"7": f"“{PUBLIC}”"})
    assert through(viewer, "--view", "public") == (ALIASES, {"7": f"“{PUBLIC}”"})


def test_a_name_belongs_to_the_position_at_which_somebody_sat_there(recorded: tuple[Path, str]):
    data, game = recorded
    seats = {at: told(game, "--data", data, "--position", at).splitlines()[-9:] for at in (7, 8)}
    assert [any("Bert Kurz" in line for line in lines) for lines in seats.values()] == [True, False]
    assert [any("Ute" in line for line in lines) for lines in seats.values()] == [False, True]


def test_a_merged_player_has_the_name_of_the_person(service: tuple[Served, Path]):
    server, data = service
    with server.client() as client:
        for member in ({"id": "old", "name": "A. Mueller"}, {"id": "new", "name": "Anna Müller", "alias": "Falke"}):
            done(client.post("/v1/players", json=member))
        game = str(done(client.post("/v1/games", json={"ruleset": "casino", "seats": 2, "players": ["old", "guest"]}))["game"])
        play_on(client, game)
        done(client.post("/v1/players/old/merger", json={"into": "new"}))
        through = ("--url", server.url, "--token", server.token)
        shown = {view: names_of(told(game, *through, "--view", view)) for view in ("arbiter", "public")}
        assert shown == {"arbiter": ["seat 0 (Anna Müller)", "seat 1"], "public": ["seat 0 (Falke)", "seat 1"]}
        assert {view: names_of(told(game, "--data", data, "--view", view)) for view in shown} == shown


def test_a_full_record_with_texts_tells_them_and_the_ids_of_the_players(recorded: tuple[Path, str], tmp_path: Path):
    data, game = recorded
    file = tmp_path / "record.json"
    file.write_text(kiebitz("export", game, "--texts", "--data", data))
    assert (names_of(told(file)), words_of(told(file))) == (["seat 0 (p_1)", "seat 1 (p_2)"], OFFICIALS)
    assert words_of(told(file, "--view", "public")) == {}
    without = tmp_path / "without.json"
    without.write_text(kiebitz("export", game, "--full", "--data", data))
    assert words_of(told(without)) == {}


def issued(data: Path, role: str) -> str:
    """The secret of a new token."""
    said = kiebitz("tokens", "issue", "--role", role, "--label", role, "--data", data)
    [secret] = [word for word in said.split() if word.startswith("kb_")]
    return secret


# While a game is not live, or another table still plays its board


DECK = [rank + suit for suit in "SHDC" for rank in "23456789TJQKA"]
CARD = re.compile("[♠♥♦♣]")


def seen(folder: Path, game: str, view: str) -> str:
    return told(game, "--view", view, "--data", settings_of(folder).data)


def test_of_a_game_that_is_not_live_the_public_is_told_no_move(tmp_path: Path):
    with running(settings_of(tmp_path), without_limits) as service:
        director = service.caller("director")
        game = director.open(live=False)
        director.deal(game, *DECK)
        assert director.trail(game, 0, "2S").status_code == 201
    public, arbiter = (seen(tmp_path, game, view) for view in ("public", "arbiter"))
    assert [bool(CARD.search(text)) for text in (public, arbiter)] == [False, True]
    assert public.count("Not told before the game is over.") == 3


def test_the_public_is_told_no_card_until_the_other_table_is_done(tmp_path: Path):
    with running(settings_of(tmp_path), without_limits) as service:
        director = service.caller("director")
        path = announced(director, format="manual", openness="hand_over")
        entered(director, path, 4)
        paired(director, path, [[1], [2]], [[3], [4]])
        game = opened(director, path)["1"]
        director.post(f"{path}/boards", {"round": 1, "board": 7, "deck": DECK})
        assert director.post(f"/v1/games/{game}/hands", {"dealer": 1, "board": 7}).status_code == 201
        assert director.trail(game, 0, "2S").status_code == 201
    before = [seen(tmp_path, game, view) for view in ("public", "arbiter")]
    with running(settings_of(tmp_path), without_limits) as service:
        service.caller("director").post(f"{path}/rounds/1/tables/2/forfeit", {"absent": [3]})
    assert [bool(CARD.search(text)) for text in (*before, seen(tmp_path, game, "public"))] == [False, True, True]
    assert "Hand 1: seat 1 deals board 7.\n" in before[0]
