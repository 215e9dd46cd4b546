"""The law of addresses has teeth, and no secret is taken for the id of what it belongs to."""

from collections.abc import Iterator

import httpx
import pytest

from tests.access.addresses import secrets_in_addresses
from tests.api.conftest import Service, running, secret, settings_of
from tests.api.web import browser, code
from tests.each import each


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with running(settings_of(tmp_path_factory.mktemp("addresses"))) as found:
        yield found


JSON, HTML = {"content-type": "application/json"}, {"content-type": "text/html; charset=utf-8"}


@each(
    ("target", "answer", "holds"),
    [
        ("/in?code=ABCD2345", httpx.Response(200), True),
        ("/in", httpx.Response(303, headers={"location": "/in/ABCD2345"}), True),
        ("/in", httpx.Response(201, headers=JSON, content='{"code": "QQQQ7777", "address": "http://hall.test/in?code=QQQQ7777"}'), True),
        ("/in", httpx.Response(201, headers=JSON, content='{"code": "QQQQ7777", "address": "http://hall.test/in#QQQQ7777"}'), False),
        ("/in", httpx.Response(200, headers=HTML, content="<a href='/t/x?a=b&amp;c=ABCD%32345'>x</a>"), True),
        ("/in", httpx.Response(200, headers=HTML, content="<a href='/in#ABCD2345'>ABCD2345</a>"), False),
    ],
)
def test_the_law_finds_a_secret_in_a_path_or_a_query(target: str, answer: httpx.Response, holds: bool):
    assert bool(secrets_in_addresses(target, answer, ["ABCD2345"])) == holds


def test_no_secret_is_taken_for_an_id(service: Service):
    director, web = service.caller("director"), browser(service)
    issued = code(director)["code"]
    web.enter(secret("viewer"))
    (cookie,) = web.cookies.values()
    shown = secret("recorder")
    for path in (f"/v1/codes/{issued}", f"/v1/sessions/{cookie}", f"/v1/tokens/{shown}"):
        assert director.delete(path).status_code == 404, path
    assert browser(service).enter(issued).status_code == 200
    assert [web.get("/v1/games").status_code, service.caller("recorder").get("/v1/games").status_code] == [200, 200]


def test_a_link_to_sign_in_holds_the_code_in_its_fragment_alone(service: Service):
    told = code(service.caller("director"))
    assert told["address"].endswith(f"/in#{told['code']}")
    assert told["code"] not in told["address"].partition("#")[0]


@pytest.mark.parametrize("path", ["/", "/in", "/docs", "/rules/casino", "/offline", "/new", "/t/none", "/nothing", "/v1/rulesets/casino"])
def test_other_sites_learn_no_address_and_forms_say_where_they_come_from(service: Service, path: str):
    """Under ``no-referrer`` a browser sends ``Origin: null`` with a form."""
    headers = {"Accept": "text/html", "Sec-Fetch-Dest": "document"}
    answer = service.client.get(path, headers=headers)
    assert answer.headers["content-type"].startswith("text/html")
    assert answer.headers["referrer-policy"] == "same-origin"
