"""A browser comes in by a token or a code, and goes out again."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from api.common.pages.shell import POLICY
from api.services import Rate, Services
from tests.api.conftest import Service, add_token, running, secret, settings_of
from tests.api.web import Browser, browser, code


@pytest.fixture
def web(service: Service) -> Browser:
    return browser(service)


def test_by_a_token_a_browser_is_who_the_token_is(service: Service, web: Browser):
    answer = web.enter(secret("recorder"))
    assert answer.json() == {"role": "recorder", "label": "recorder", "grant": {"scope": "everything", "sees": "all"}}
    opened = web.post("/v1/games", {"ruleset": "casino", "seats": 2})
    assert opened.status_code == 201
    game = opened.json()["game"]
    assert web.get(f"/v1/games/{game}/history").json() == service.caller("recorder").get(f"/v1/games/{game}/history").json()
    assert '"by":"p_recorder"' in web.get(f"/v1/games/{game}/history").text


def test_a_code_is_typed_in_any_case_with_blanks_and_hyphens(service: Service):
    issued = code(service.caller("director"), "viewer", good_for="many")["code"]
    for typed in (issued, issued.lower(), f" {issued[:4]} {issued[4:]} ", f"{issued[:4]}-{issued[4:]}".lower()):
        assert browser(service).post("/in", {"secret": typed}).status_code == 200


def test_a_code_on_a_screen_lets_one_in(service: Service, web: Browser):
    issued = code(service.caller("director"), "recorder", label="Table 3")["code"]
    assert web.enter(issued).json() == {"role": "recorder", "label": "Table 3", "grant": {"scope": "everything", "sees": "all"}}
    refused = browser(service).post("/in", {"secret": issued})
    assert (refused.status_code, refused.json()["code"]) == (401, "unauthenticated")
    assert web.get("/v1/games").status_code == 200


def test_who_comes_in_by_a_code_is_somebody_new(service: Service):
    issued = code(service.caller("director"), "viewer", good_for="many")["code"]
    comers = [browser(service) for _ in range(2)]
    for one in comers:
        one.enter(issued)
    principals = {session["principal"] for one in comers for session in one.get("/v1/sessions").json()["items"]}
    assert len(principals) == 2


@pytest.mark.parametrize("shown", ["ABCD2345", "kb_nonsense", "x", "ABCD 0I1O"])
def test_what_is_wrong_lets_nobody_in_and_is_not_told_what_is_wrong(web: Browser, shown: str):
    answer = web.post("/in", {"secret": shown})
    assert (answer.status_code, answer.json()["code"]) == (401, "unauthenticated")
    assert answer.json()["detail"] == "This does not sign you in. Codes expire or are used up: ask the director for another."
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize("path", ["/in", "/appearance"])
def test_a_form_of_many_fields_is_refused(web: Browser, path: str):
    answer = web.submit(path, secret=secret("recorder"), **{f"field_{number}": "x" for number in range(10)})
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_parameter")
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize("path", ["/in", "/out", "/appearance"])
def test_who_sends_forms_without_end_is_held_up_by_the_limit_of_his_address(tmp_path: Path, path: str):
    def few(services: Services) -> Services:
        return replace(services, limits=replace(services.limits, by_address=Rate(1, 2)))

    with running(settings_of(tmp_path), few) as service:
        web = browser(service)
        answers = [web.submit(path).status_code for _ in range(4)]
        assert (429 in answers[:2], 429 in answers[2:]) == (False, True)


def test_a_token_that_is_revoked_or_over_lets_nobody_in(service: Service, web: Browser):
    over = add_token(service.services, "viewer", "over", expires_at="2026-01-01T00:00:00Z")
    revoked = add_token(service.services, "viewer", "revoked")
    service.services.registers.revoke_token("t_revoked", "2026-01-01T00:00:00Z")
    assert [web.post("/in", {"secret": one}).status_code for one in (over, revoked)] == [401, 401]


def test_who_goes_out_is_out_at_once(web: Browser):
    web.enter(secret("viewer"))
    before = dict(web.cookies)
    out = web.post("/out", {})
    assert (out.json(), web.cookies) == ({"ended": True}, {})
    web.cookies = before
    assert web.get("/v1/games").status_code == 401
    assert web.post("/out", {}).json() == {"ended": False}


def test_who_signs_in_anew_leaves_the_session_before(web: Browser):
    web.enter(secret("viewer"))
    before = dict(web.cookies)
    web.enter(secret("recorder"))
    assert web.cookies != before
    web.cookies = before
    assert web.get("/v1/games").status_code == 401


def test_the_cookie_is_kept_from_scripts_and_from_other_pages(web: Browser):
    line = web.enter(secret("viewer")).headers["set-cookie"]
    assert re.fullmatch(r"kiebitz-80=[0-9a-f]{64}; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax", line)


def test_on_https_the_cookie_is_bound_to_the_host(service: Service, web: Browser):
    answer = service.client.post(
        "https://testserver.local/in", json={"secret": secret("viewer")}, headers={"Origin": "https://testserver.local"}
    )
    service.client.cookies.clear()
    line = answer.headers["set-cookie"]
    assert re.fullmatch(r"__Host-kiebitz=[0-9a-f]{64}; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax; Secure", line)
    value = line.partition(";")[0].partition("=")[2]

    def status(scheme: str, cookie: str) -> int:
        return int(service.client.get(f"{scheme}://testserver.local/v1/games", headers={"Cookie": cookie}).status_code)

    assert status("https", f"__Host-kiebitz={value}") == 200
    assert status("https", f"kiebitz={value}") == 401, "a name that any page of the domain could set"
    assert status("http", f"__Host-kiebitz={value}") == 401
    assert status("https", f"__Host-kiebitz={value}; __Host-kiebitz=other") == 401


def test_a_token_that_is_shown_goes_before_the_cookie(service: Service, web: Browser):
    web.enter(secret("viewer"))
    answer = web.call("GET", "/metrics", {"Authorization": f"Bearer {secret('director')}"})
    assert (answer.status_code, web.get("/metrics").status_code) == (200, 403)


def test_what_is_answered_to_a_cookie_is_kept_for_nobody_else(web: Browser):
    web.enter(secret("recorder"))
    game = web.post("/v1/games", {"ruleset": "casino", "seats": 2}).json()["game"]
    for path in ("/v1/games", f"/v1/games/{game}", f"/v1/games/{game}/table", "/v1/sessions", "/in"):
        answer = web.get(path)
        assert answer.status_code == 200
        assert "cookie" in answer.headers["vary"].split(", "), path
        assert "public" not in answer.headers["cache-control"], path


def test_a_failed_attempt_is_counted_and_logged_without_what_was_shown(service: Service, web: Browser, caplog: pytest.LogCaptureFixture):
    web.post("/in", {"secret": "QQQQ-7777"})
    assert [record.getMessage() for record in caplog.records] == ["a sign-in from testclient was refused"]
    told = service.caller("director").get("/metrics").text
    assert re.search(r'kiebitz_sign_ins_total\{result="refused"\} [1-9]', told)


class TestForms:
    def test_a_form_leads_to_the_page_that_says_who_one_is(self, web: Browser):
        answer = web.submit("/in", secret=secret("arbiter"))
        assert (answer.status_code, answer.headers["location"]) == (303, "/")
        page = web.get("/in").text
        assert "This browser is signed in." in page
        assert "arbiter" in page
        assert 'action="/out"' in page

    def test_a_form_leads_on_to_where_one_wanted_to_go(self, web: Browser):
        assert web.submit("/in", secret=secret("viewer"), next="/docs?a=b").headers["location"] == "/docs?a=b"

    @pytest.mark.parametrize(
        "elsewhere",
        [
            "//evil.example",
            "https://evil.example/",
            "/\\evil.example",
            "\\\\evil",
            "evil",
            "/a\nb",
            "/a\\b",
            "javascript:x",
            "/ä",
            "",
            "/" * 2,
        ],
    )
    def test_it_leads_nowhere_else(self, web: Browser, elsewhere: str):
        assert web.submit("/in", secret=secret("viewer"), next=elsewhere).headers["location"] == "/"

    def test_what_was_wrong_is_told_on_the_page_and_the_way_is_kept(self, web: Browser):
        answer = web.submit("/in", secret="nonsense", next="/docs")
        assert (answer.status_code, answer.headers["location"]) == (303, "/in?refused=unknown&next=%2Fdocs")
        page = web.get(answer.headers["location"]).text
        assert 'role="alert">That does not sign you in.' in page
        assert '<input type="hidden" name="next" value="/docs">' in page

    def test_going_out_leads_back_to_the_page(self, web: Browser):
        web.enter(secret("viewer"))
        answer = web.submit("/out")
        assert (answer.status_code, answer.headers["location"], web.cookies) == (303, "/in", {})


class TestThePage:
    def test_it_speaks_german(self, web: Browser):
        answer = web.get("/in", **{"Accept-Language": "de"})
        assert answer.headers["content-language"] == "de"
        assert "Hier den Code vom Bildschirm oder von der Karte eingeben, oder ein Token." in answer.text

    def test_nothing_of_it_runs_that_is_not_a_file_of_ours(self, web: Browser):
        answer = web.get("/in")
        assert answer.headers["content-security-policy"] == POLICY
        assert not re.search(r"<script(?!( type=\"module\")? src=\"/assets/)|<style|style=|\son\w+=", answer.text)
        for file in re.findall(r'"(/assets/[^"]+)"', answer.text):
            asset = web.get(file)
            assert (asset.status_code, asset.headers["cache-control"]) == (200, "public, max-age=31536000, immutable")

    def test_under_another_digest_a_file_is_not_kept(self, web: Browser):
        answer = web.get("/assets/before/ground.css")
        assert (answer.status_code, answer.headers["cache-control"]) == (200, "no-cache")
        assert web.get("/assets/before/texts.en.toml").status_code == 404

    def test_a_hall_without_https_is_warned_and_this_machine_is_not(self, service: Service, web: Browser):
        assert "This connection is not encrypted." in web.get("/in").text
        assert "not encrypted" not in service.client.get("https://testserver.local/in").text
        for host in ("127.0.0.1:8000", "localhost:8000", "[::1]:8000", "LOCALHOST"):
            assert "not encrypted" not in web.get("/in", Host=host).text
        assert "not encrypted" in web.get("/in", Host="localhost.evil.example").text

    def test_a_link_makes_nobody_somebody_else(self, web: Browser):
        assert "data-signed" not in web.get("/in").text
        web.enter(secret("viewer"))
        assert "data-signed" in web.get("/in").text
