"""The page of the case book: what it shows, and that what a form sends empty is no filter."""

from typing import Any

from tests.api.conftest import Service


def read(service: Service, role: str | None, path: str) -> Any:
    return service.caller(role).get(path, headers={"Accept": "text/html", "Accept-Language": "en"})


def test_a_ruling_stands_there_with_its_rule_points_and_reason(service: Service):
    director = service.caller("director")
    game = director.open()
    director.deal(game)
    ruling = {"decision": "penalty", "reason": "Telephone.", "rules": ["CNO-7"], "adjustments": [{"party": 1, "points": -2}]}
    assert director.post(f"/v1/games/{game}/rulings", ruling).status_code == 201
    page = read(service, "director", "/rulings?q=&ruleset=casino&rules=cno-7+cno-8&decision=&instance=&from=2020-01-01&to=")
    assert page.status_code == 200, page.text
    assert f'<a href="/g/{game}#p3">Penalty</a><a href="/rules/casino#CNO-7">CNO-7</a>' in page.text
    assert all(shown in page.text for shown in ("<b>−2</b>", "<q>Telephone.</q>", "Casino and Royal Casino"))
    assert "No ruling fits." in read(service, "director", "/rulings?q=chess").text


def test_who_is_not_signed_in_is_asked_to(service: Service):
    assert read(service, None, "/rulings").status_code == 401


def test_what_is_no_rule_is_told(service: Service):
    assert read(service, "director", "/rulings?rules=seven").status_code == 400
