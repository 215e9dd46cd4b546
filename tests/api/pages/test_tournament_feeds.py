"""What of a tournament can be shared: the summary with its meta data, the feed of its results, and the calendar of its rounds."""

import re
from xml.etree import ElementTree

import pytest

from api.pages.tournament_feeds import fold
from tests.api.conftest import Caller, Service
from tests.api.markup import words
from tests.api.tournament import announced, entered, opened, scored

ATOM = {"atom": "http://www.w3.org/2005/Atom"}


@pytest.fixture
def night(director: Caller, recorder: Caller) -> str:
    """Four players after one of one rounds, published with their names; the id of the tournament."""
    path = announced(director, title="Club <night>", seed="summary", rounds=1, tie_breaks=["points", "lots"])
    entered(director, path, 4)
    tables = [{"table": str(n + 1), "parties": [[2 * n + 1], [2 * n + 2]]} for n in (0, 1)]
    assert director.post(f"{path}/rounds", {"tables": tables}).is_success
    scored(director, opened(recorder, path)["1"], 21, 8)
    assert director.put(f"{path}/rounds/1/tables/2/result", {"points": [30, 9]}).is_success
    assert director.post(f"{path}/rounds/1/closing", {}).is_success
    return path.rpartition("/")[2]


def ended(director: Caller, id: str) -> None:
    assert director.post(f"/v1/tournaments/{id}/ending", {"how": "finished"}).is_success
    assert director.post(f"/v1/tournaments/{id}/publication", {"publication": "aliases"}).is_success


def test_a_summary_says_who_won_and_shows_the_cross_table_to_everybody(night: str, director: Caller, service: Service):
    ended(director, night)
    page = service.caller(None).get(f"/t/{night}/summary").text
    assert "1 Entrant 3 2 Entrant 1 3 Entrant 4" in words(page)
    assert "Place No. Players Score R1 W D L" in words(page)
    meta = dict(re.findall(r'<meta property="og:(\w+)" content="([^"]*)">', page))
    assert meta == {
        "title": "Club &lt;night&gt;",
        "description": "1. Entrant 3, 2. Entrant 1, 3. Entrant 4 · Casino and Royal Casino, 4 entrants, 1 round",
        "type": "website",
        "site_name": "Kiebitz",
        "url": f"http://testserver.local/t/{night}/summary",
    }


def test_before_the_end_a_summary_names_no_winner(night: str, viewer: Caller):
    page = viewer.get(f"/t/{night}/summary").text
    assert 'content="After round 1 · Casino' in page
    assert "noindex" in page


def test_results_come_as_a_feed_with_the_access_of_the_page(night: str, director: Caller, service: Service):
    assert service.caller(None).get(f"/t/{night}/results.atom").status_code == 401
    ended(director, night)
    answer = service.caller(None).get(f"/t/{night}/results.atom")
    assert answer.headers["content-type"].startswith("application/atom+xml")
    feed = ElementTree.fromstring(answer.content)
    assert feed.findtext("atom:title", namespaces=ATOM) == "Club <night>"
    entries = {
        entry.findtext("atom:title", namespaces=ATOM): entry.find("atom:link", ATOM).get("href")  # pyrefly: ignore[missing-attribute]
        for entry in feed.findall("atom:entry", ATOM)
    }
    home = f"http://testserver.local/t/{night}?round=1#table-"
    assert entries == {
        "Round 1, Table 1: Entrant 1 21 – Entrant 2 8": f"{home}1",
        "Round 1, Table 2: Entrant 3 30 – Entrant 4 9": f"{home}2",
    }
    assert len({entry.findtext("atom:id", namespaces=ATOM) for entry in feed.findall("atom:entry", ATOM)}) == 2
    assert all(one.text for one in feed.iter("{http://www.w3.org/2005/Atom}updated"))
    etag = answer.headers["etag"]
    assert service.caller(None).get(f"/t/{night}/results.atom", headers={"If-None-Match": etag}).status_code == 304


def test_rounds_come_as_a_calendar_in_the_zone_of_the_tournament(night: str, director: Caller, viewer: Caller):
    path, starts = f"/v1/tournaments/{night}", ["2026-11-28T19:30", "2026-11-28T20:15", "2026-12-05T19:30"]
    assert "rounds.ics" not in viewer.get(f"/t/{night}/summary").text
    for body in ({"time_zone": "Europe/Berlin"}, {"starts": starts}):
        assert director.post(f"{path}/{'time-zone' if 'time_zone' in body else 'schedule'}", body).is_success
    assert viewer.get(path).json()["starts"] == [
        "2026-11-28T18:30:00.000000Z",
        "2026-11-28T19:15:00.000000Z",
        "2026-12-05T18:30:00.000000Z",
    ]
    assert "rounds.ics" in viewer.get(f"/t/{night}/summary").text
    assert f'value="{starts[1]}"' in director.get(f"/t/{night}/desk?step=announce").text
    answer = viewer.get(f"/t/{night}/rounds.ics")
    assert answer.headers["content-type"] == "text/calendar; charset=utf-8"
    lines = answer.text.split("\r\n")
    assert [line for line in lines if line.startswith(("DTSTART", "DTEND", "SUMMARY"))] == [
        "DTSTART:20261128T183000Z",
        "DTEND:20261128T191500Z",
        "SUMMARY:Club <night>\\, Round 1",
        "DTSTART:20261128T191500Z",
        "DTEND:20261128T201500Z",
        "SUMMARY:Club <night>\\, Round 2",
        "DTSTART:20261205T183000Z",
        "DTEND:20261205T193000Z",
        "SUMMARY:Club <night>\\, Round 3",
    ]


def test_long_lines_of_a_calendar_are_folded_between_signs():
    folded = fold("ü" * 80)
    assert "".join(part.removeprefix(" ") for part in folded) == "ü" * 80
    assert [len(part.encode()) for part in folded] == [74, 75, 13]


def test_a_feed_without_results_is_as_old_as_the_announcement(director: Caller, viewer: Caller):
    path = announced(director)
    (announcement,) = director.get(f"{path}/history").json()["events"]
    feed = ElementTree.fromstring(viewer.get(f"/t/{path.rpartition('/')[2]}/results.atom").content)
    assert feed.findtext("atom:updated", namespaces=ATOM) == announcement["at"]
