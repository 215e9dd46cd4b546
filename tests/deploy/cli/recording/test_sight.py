"""What a recorder is shown is what his token may see, and nothing else."""

import json
from pathlib import Path

from tests.deploy.cli.recording.sessions import game_of, kiebitz
from tests.deploy.serving import served

CASINO = ("--ruleset", "casino", "--seats", 2, "--lang", "en")


def test_a_token_that_sees_no_hands_is_shown_none_and_records_nothing(tmp_path: Path):
    with served("--data", tmp_path) as server:
        game = game_of(kiebitz("record", *CASINO, "--url", server.url, "--token", server.token, lines=["/shuffle"]))
        viewer = kiebitz("tokens", "issue", "--role", "viewer", "--label", "board", "--data", tmp_path).stdout.strip()
        with server.client() as client:
            board = client.get(f"/v1/games/{game}/table").json()["table"]
        hidden = next(card for card in ("KS", "QS", "JS", "8S", "7S") if card not in board)  # whoever sees it lie there knows better
        shown = kiebitz("record", game, "--url", server.url, "--token", viewer, "--lang", "en", lines=[f"{hidden.lower()}-"])
        history = kiebitz("export", game, "--full", "--url", server.url, "--token", server.token).stdout
    lines = [line.rstrip() for line in shown.stdout.splitlines()]
    assert lines[1:4] == ["seat 0: (4 not seen)", "seat 1: (4 not seen)", "stock: 40 cards"]
    assert lines[-3:-1] == ["The role viewer may not do this. Roles that may: director, recorder, player.", "3 seat 1 >"]
    assert (shown.exit_code, len(json.loads(history)["events"])) == (1, 2)


def test_who_recorded_a_shuffled_hand_sees_what_the_record_knows(tmp_path: Path):
    told = kiebitz("record", *CASINO, "--data", tmp_path, lines=["/shuffle", "/table"]).stdout
    assert "(4 not seen)" not in told.split("/table")[1]
