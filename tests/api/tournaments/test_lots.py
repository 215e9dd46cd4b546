"""Lots that nobody can try out, over HTTP: bound when a tournament is announced, drawn with its first pairing, told from then on."""

import json
import re
import subprocess
import sys
from hashlib import sha256
from typing import Any
from uuid import uuid4

import pytest

from domain.standings.tie_breaks import lot
from tests.api.conftest import Caller, Service
from tests.api.tournament import announced, entered, paired
from tests.deploy.stores.stores import sql_of
from tests.transcript import ROOT

DICE = "6 3 1 1 5 2 4 6"
BY_HAND = {"tables": [{"parties": [[1], [2]]}, {"parties": [[3], [4]]}]}


@pytest.fixture
def director(service: Service) -> Caller:
    return service.caller("director")


def bound(director: Caller, **wanted: Any) -> str:
    """Four are entered."""
    path = announced(director, **{"seed": None, "tie_breaks": ["lots"], **wanted})
    entered(director, path, 4)
    return path


def lots(caller: Caller, path: str) -> Any:
    return caller.get(path).json()["lots"]


def secret_of(service: Service, path: str) -> bytes:
    found = service.services.registers.find_secret(lots(service.caller("viewer"), path)["commitment"])
    assert found is not None
    return found


def made_again(history: str) -> str:
    """What the program of docs/fair-decks.md says of a history: whether the commitment fits, and whether the seed does."""
    [program] = re.findall(r"```python\n(import hashlib.*?)```", (ROOT / "docs" / "fair-decks.md").read_text(encoding="utf-8"), re.DOTALL)
    return subprocess.run([sys.executable, "-c", program], input=history, capture_output=True, text=True, check=True).stdout.strip()


def test_a_tournament_without_a_seed_is_bound_to_a_secret_that_nobody_is_told(service: Service, director: Caller, viewer: Caller):
    path = bound(director, dice=8)
    told = viewer.get(path).json()
    commitment = told["lots"]["commitment"]
    assert told["seed"] == ""
    assert told["lots"] == {
        "how": "bound",
        "commitment": commitment,
        "digits": told["lots"]["digits"],
        "dice": 8,
        "thrown": None,
        "secret": None,
        "unpaired": 0,
    }
    assert len(told["lots"]["digits"].split()) == 8
    first = viewer.get(f"{path}/history?limit=1").json()["events"][0]["body"]
    assert (first["lots"], "seed" in first) == ({"commitment": commitment, "dice": 8}, False)
    assert sha256(b"\1kiebitz-lots/1\n" + secret_of(service, path)).hexdigest() == commitment


def test_a_seed_in_the_open_stays_as_it_was(director: Caller, viewer: Caller):
    path = announced(director, seed="s")
    assert viewer.get(path).json()["seed"] == "s"
    assert lots(viewer, path) == {
        "how": "open",
        "commitment": None,
        "digits": None,
        "dice": 0,
        "thrown": None,
        "secret": None,
        "unpaired": 0,
    }
    body = viewer.get(f"{path}/history").json()["events"][0]["body"]
    assert (body["seed"], "lots" in body) == ("s", False)
    entered(director, path, 2)
    assert [event["name"] for event in paired(director, path)["events"]] == ["round.paired/1"]


def test_the_first_pairing_draws_the_lots_and_everybody_can_draw_them_again(service: Service):
    director, viewer = service.caller("director"), service.caller("viewer")
    path = bound(director, dice=8)
    assert director.post(f"{path}/entries/2/substitution", {"players": ["p22"]}).status_code == 201
    done = director.post(f"{path}/rounds", {"dice": DICE})
    assert done.status_code == 201, done.text
    assert [event["name"] for event in done.json()["events"]] == ["lots.drawn/1", "round.paired/1"]
    assert (done.json()["round"], done.headers["etag"]) == (1, '"8"')

    told = viewer.get(path).json()
    assert made_again(viewer.get(f"{path}/history?limit=1000").text) == "True True"
    assert (told["lots"]["how"], told["lots"]["thrown"], len(told["lots"]["secret"])) == ("drawn", DICE, 64)
    standings = viewer.get(f"{path}/standings").json()
    drawn = {line["entrant"]: line["tie_breaks"][0]["value"] for line in standings["lines"]}
    assert drawn == {number: lot(told["seed"], "lots", number) for number in (1, 2, 3, 4)}
    assert standings["lots"] == told["lots"]
    assert director.get(f"{path}/audit").json()["verdict"] == "sound"


def test_nothing_follows_from_the_lots_before(service: Service, director: Caller, viewer: Caller):
    path = bound(director)
    lines = viewer.get(f"{path}/standings").json()["lines"]
    assert [(line["place"], line["entrant"], line["tie_breaks"][0]["value"]) for line in lines] == [
        (1, number, None) for number in (1, 2, 3, 4)
    ]
    assert viewer.get(f"{path}/standings?format=csv").text.splitlines()[1].startswith("1,1,Entrant 1,0,0,0,0,0,,")
    assert director.get(f"{path}/audit").json()["verdict"] == "sound"


def test_who_only_tries_is_told_nothing_that_follows_from_them(service: Service, director: Caller):
    path = bound(director)
    secret, before = secret_of(service, path).hex(), director.get(f"{path}/history").json()
    tried = director.post(f"{path}/rounds?dry_run=true", {}, headers={"Accept-Language": "de"})
    assert (tried.status_code, tried.json()["code"]) == (422, "lots_untold")
    assert tried.json()["detail"].startswith("Das Ergebnis der Lose bleibt geheim, bis es aufgezeichnet ist")
    by_hand = director.post(f"{path}/rounds?dry_run=true", BY_HAND)
    assert (by_hand.status_code, [event["name"] for event in by_hand.json()["events"]]) == (200, ["round.paired/1"])
    assert secret not in tried.text + by_hand.text + json.dumps(before)
    assert director.get(f"{path}/history").json() == before
    paired(director, path)
    assert director.post(f"{path}/unpairing", {}).status_code == 201
    assert director.post(f"{path}/rounds?dry_run=true", {}).status_code == 200


def test_a_draw_that_would_be_refused_is_refused_so_also_where_it_is_only_tried(director: Caller):
    nobody, by_hand = announced(director, seed=None), bound(director, format="manual")
    for path, code in ((nobody, "nobody_entered"), (by_hand, "paired_by_hand")):
        for address in (f"{path}/rounds?dry_run=true", f"{path}/rounds"):
            assert director.post(address, {}).json()["code"] == code


def test_a_pairing_by_hand_draws_them_too(director: Caller):
    path = bound(director, format="manual", dice=8)
    done = director.post(f"{path}/rounds", {**BY_HAND, "dice": DICE}).json()
    assert [event["name"] for event in done["events"]] == ["lots.drawn/1", "round.paired/1"]
    assert lots(director, path)["how"] == "drawn"


def test_once_drawn_they_stay_and_it_is_counted_how_often_a_pairing_was_taken_back(director: Caller):
    path = bound(director)
    paired(director, path)
    seed = director.get(path).json()["seed"]
    assert director.post(f"{path}/unpairing", {}).status_code == 201
    entered_late = director.post(f"{path}/entries", {"players": ["p5"]})
    assert entered_late.status_code == 201
    refused = director.post(f"{path}/rounds", {"dice": DICE})
    assert (refused.status_code, refused.json()["code"]) == (422, "lots_drawn")
    assert [event["name"] for event in paired(director, path)["events"]] == ["round.paired/1"]
    told = director.get(path).json()
    assert (told["seed"], told["lots"]["how"], told["lots"]["unpaired"]) == (seed, "drawn", 1)
    assert director.get(f"{path}/audit").json()["verdict"] == "sound"


def test_a_pairing_that_is_sent_again_draws_nothing_again(director: Caller):
    path, key = bound(director), {"Idempotency-Key": uuid4().hex}
    first, again = (director.post(f"{path}/rounds", {}, headers=key) for _ in range(2))
    assert (first.status_code, again.json(), again.headers["idempotent-replayed"]) == (201, first.json(), "true")


@pytest.mark.parametrize(
    ("promised", "body", "code"),
    [
        (8, {}, "lots_need_dice"),
        (8, {"dice": "6 3 1"}, "dice_number"),
        (8, {"dice": f"{DICE} 1"}, "dice_number"),
        (8, {"dice": "heads"}, "dice_form"),
        (0, {"dice": DICE}, "lots_without_dice"),
        (0, {"seed": "mine"}, "lots_are_bound"),
    ],
)
def test_what_was_not_promised_is_refused_and_nothing_is_lost(director: Caller, promised: int, body: dict[str, Any], code: str):
    path = bound(director, dice=promised)
    for given in (body, {**BY_HAND, **body}):
        refused = director.post(f"{path}/rounds", given)
        assert (refused.status_code, refused.json()["code"]) == (422, code)
    assert lots(director, path)["how"] == "bound"
    assert director.post(f"{path}/rounds", {"dice": DICE} if promised else {}).status_code == 201


@pytest.mark.parametrize(
    ("wanted", "code"),
    [({"dice": 7}, "dice_promise"), ({"dice": 41}, "malformed_body"), ({"seed": "s", "dice": 8}, "dice_with_seed")],
)
def test_a_promise_that_makes_no_sense_is_refused(director: Caller, wanted: dict[str, Any], code: str):
    answer = director.post("/v1/tournaments", {"ruleset": "casino", "seats": 2, "format": "swiss", **wanted})
    assert (answer.status_code, answer.json()["code"]) == (422, code)


def test_a_correction_leaves_them_bound_as_they_were(director: Caller):
    path = bound(director, dice=8)
    before = lots(director, path)
    assert director.post(f"{path}/correction", {"rounds": 4, "dice": 8}).status_code == 201
    for field, other in (("dice", 0), ("seed", "mine")):
        refused = director.post(f"{path}/correction", {field: other})
        assert (refused.status_code, refused.json()["code"]) == (422, "never_corrected")
        assert field in refused.json()["detail"]
    assert lots(director, path) == before
    paired_with_dice = director.post(f"{path}/rounds", {"dice": DICE})
    assert paired_with_dice.status_code == 201
    assert director.post(f"{path}/unpairing", {}).status_code == 201
    assert director.post(f"{path}/correction", {"rounds": 4}).json()["code"] == "nothing_corrected"
    assert director.get(f"{path}/audit").json()["verdict"] == "sound"


def test_where_the_secret_was_lost_the_evening_goes_on_with_a_seed_in_the_open(new_service: Service):
    director = new_service.caller("director")
    path = bound(director, dice=8)
    sql_of(new_service.services.journal.store).change(
        "DELETE FROM shuffle_secrets WHERE commitment = ?", (lots(director, path)["commitment"],)
    )
    lost = director.post(f"{path}/rounds", {"dice": DICE})
    assert (lost.status_code, lost.json()["code"]) == (422, "lots_secret_lost")
    assert "Restore the store with a backup" in lost.json()["detail"]
    assert director.post(f"{path}/rounds", {"dice": DICE, "seed": "mine"}).json()["code"] == "dice_with_seed"
    done = director.post(f"{path}/rounds", {"seed": "mine"}).json()
    assert done["events"][0]["body"] == {"seed": "mine", "secret": None, "dice": None}
    told = director.get(path).json()
    assert (told["seed"], told["lots"]["how"], told["lots"]["secret"]) == ("mine", "given", None)
    assert director.get(f"{path}/audit").json()["verdict"] == "sound"


def test_a_secret_that_somebody_changed_draws_nothing(service: Service, director: Caller):
    path = bound(director)
    sql_of(service.services.journal.store).change(
        "UPDATE shuffle_secrets SET secret = ? WHERE commitment = ?", ("00" * 32, lots(director, path)["commitment"])
    )
    refused = director.post(f"{path}/rounds", {})
    assert (refused.status_code, refused.json()["code"]) == (422, "lots_secret_does_not_fit")
    assert [event["name"] for event in director.get(f"{path}/history?after=5").json()["events"]] == []


@pytest.mark.parametrize(
    ("language", "says"),
    [
        ("en", ("announced in the open: the person who announced it could have tried it out", "dice thrown in the hall")),
        ("de", ("offen ausgeschrieben wurde: Wer ihn ausschrieb, konnte ihn durchprobieren", "Würfeln, die im Saal geworfen wurden")),
    ],
)
def test_printed_standings_say_where_the_lots_come_from(director: Caller, language: str, says: tuple[str, str]):
    spoken = {"Accept-Language": language}
    in_the_open, drawn = announced(director, seed="s"), bound(director, dice=8)
    assert director.post(f"{drawn}/rounds", {"dice": DICE}).status_code == 201
    assert says[0] in director.get(f"{in_the_open}/standings?format=html", headers=spoken).text
    assert says[1] in director.get(f"{drawn}/standings?format=html", headers=spoken).text


def test_a_tried_announcement_keeps_no_secret(service: Service, director: Caller):
    def kept() -> list[Any]:
        return list(sql_of(service.services.journal.store).query("SELECT commitment FROM shuffle_secrets", ()))

    before = kept()
    tried = director.post("/v1/tournaments?dry_run=true", {"ruleset": "casino", "seats": 2, "format": "swiss"})
    told = tried.json()["lots"]
    assert (tried.status_code, told["how"], told["commitment"], told["digits"], kept()) == (200, "bound", None, None, before)
