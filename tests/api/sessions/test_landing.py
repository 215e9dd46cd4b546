"""Where a code leads that was typed or scanned: to where the work of whoever shows it begins."""

from uuid import UUID

import pytest

from domain.access import UNBOUND, Grant, OfGame, OfTable, OfTournament
from tests.api.conftest import Service, add_token
from tests.api.web import browser

GAME = UUID("0190b3a0-0000-7000-8000-000000000000")
CUP, TABLE = OfTournament("cup"), Grant(OfTable("cup", "3", 1))
LANDINGS = [
    ("player", Grant(CUP, player="ada"), "/me"),
    ("player", Grant(OfGame(GAME), seat=1), "/me"),
    ("recorder", TABLE, "/t/cup/3"),
    ("recorder", Grant(OfGame(GAME)), f"/g/{GAME}/record"),
    ("director", Grant(OfGame(GAME)), f"/g/{GAME}/record"),
    ("arbiter", Grant(OfGame(GAME)), f"/g/{GAME}"),
    ("director", Grant(CUP), "/t/cup/desk"),
    ("recorder", Grant(CUP), "/"),
    ("viewer", Grant(CUP), "/"),
    ("director", UNBOUND, "/"),
]


@pytest.mark.parametrize(("role", "grant", "page"), LANDINGS)
def test_a_sign_in_leads_to_where_the_work_begins_unless_another_page_was_asked_for(service: Service, role: str, grant: Grant, page: str):
    secret = add_token(service.services, role, f"landing-{LANDINGS.index((role, grant, page))}", grant)
    web = browser(service)
    assert web.submit("/in", secret=secret).headers["location"] == page
    assert f'<a href="{page}">' in web.get("/in").text
    assert browser(service).submit("/in", secret=secret, next="/rules").headers["location"] == "/rules"


def test_the_first_page_asks_for_no_other_one_where_somebody_signs_in_from_there(service: Service):
    web = browser(service)
    assert 'class="who" href="/in"' in web.get("/", Accept="text/html").text
    assert 'class="who" href="/in?next=/rules"' in web.get("/rules", Accept="text/html").text
