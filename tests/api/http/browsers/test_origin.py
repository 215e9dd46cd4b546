"""What a browser sends with its session, or to sign in, comes from a page of ours: every combination of what browsers say."""

from typing import NamedTuple

import pytest

from tests.api.conftest import Service, secret
from tests.api.web import FORM, browser

HOST = "hall.example:8000"


class Said(NamedTuple):
    """``None``: nothing is said."""

    site: str | None
    origin: str | None
    ours: bool
    scheme: str = "http"
    host: str = HOST


SITES = ("same-site", "cross-site", "none", "", "same-origin, cross-site")
ORIGINS = (
    *(
        "https://evil.example",
        "null",
        "",
        "hall.example:8000",
        "http://hall.example",
        "http://hall.example:8001",
        "ftp://hall.example:8000",
    ),
    *("http://user@hall.example:8000", "http://hall.example:8000/", "http://hall.example:8000, http://hall.example:8000", "http://["),
)
SAID = (
    Said("same-origin", None, True),
    Said("same-origin", f"http://{HOST}", True),
    Said("same-origin", "https://evil.example", True),  # the browser itself has judged
    *(Said(site, origin, False) for site in SITES for origin in (None, f"http://{HOST}", "https://evil.example")),
    Said(None, f"http://{HOST}", True),
    Said(None, f"https://{HOST}", True),  # before a proxy that did not tell us
    *(Said(None, origin, False) for origin in (None, *ORIGINS)),
    Said(None, f"https://{HOST}", True, "https"),
    Said(None, f"http://{HOST}", False, "https"),
    # Some proxies write the port that the scheme implies; browsers leave it out.
    *(
        Said(None, origin, True, scheme, host)
        for scheme, port in (("http", 80), ("https", 443))
        for origin, host in ((f"{scheme}://club.example", f"club.example:{port}"), (f"{scheme}://club.example:{port}", "club.example"))
    ),
    Said(None, "https://club.example", True, "http", "club.example:443"),
    Said(None, "https://club.example", False, "http", "club.example:80"),
    Said(None, "http://club.example", False, "http", "club.example:443"),
    Said(None, "http://club.example", False, "http", "other.example:80"),
)
WRITES = (
    ("POST", "/v1/games", "application/json", '{"ruleset": "casino", "seats": 2}', 201),
    ("POST", "/out", FORM["Content-Type"], "", 303),
    ("POST", "/in", FORM["Content-Type"], f"secret={secret('recorder')}", 303),
)


@pytest.fixture(scope="module")
def cookie(service: Service) -> str:
    web = browser(service)
    web.enter(secret("recorder"))
    return next(iter(web.cookies.values()))


@pytest.mark.parametrize("write", WRITES, ids=lambda one: one[1])
def test_a_write_by_cookie_comes_from_our_own_origin(service: Service, write: tuple[str, str, str, str, int]):
    for said in SAID:
        write_as(service, said, *write)


def write_as(service: Service, said: Said, method: str, path: str, kind: str, body: str, status: int) -> None:
    web = browser(service)
    web.enter(secret("recorder"))
    value = next(iter(web.cookies.values()))
    before = service.services.journal.head()
    headers = {"Host": said.host, "Content-Type": kind, "Cookie": f"kiebitz={value}; __Host-kiebitz={value}"}
    headers |= {name: one for name, one in (("Sec-Fetch-Site", said.site), ("Origin", said.origin)) if one is not None}
    answer = service.client.request(method, f"{said.scheme}://{said.host}{path}", headers=headers, content=body, follow_redirects=False)
    service.client.cookies.clear()
    assert answer.status_code == (status if said.ours else 403), said
    if not said.ours:
        assert (service.services.journal.head(), web.get("/v1/games").status_code) == (before, 200), f"{said}: nothing was done"


def test_what_is_only_read_may_be_asked_from_anywhere(service: Service, cookie: str):
    for said in (one for one in SAID if not one.ours):
        headers = {"Host": HOST, "Cookie": f"kiebitz={cookie}; __Host-kiebitz={cookie}"}
        headers |= {name: one for name, one in (("Sec-Fetch-Site", said.site), ("Origin", said.origin)) if one is not None}
        assert service.client.get(f"{said.scheme}://{HOST}/v1/games", headers=headers).status_code == 200, said


def test_a_page_that_says_for_whom_it_sends_is_refused_when_somebody_else_signed_in(service: Service):
    web = browser(service)
    web.enter(secret("recorder"))
    me = web.get("/v1/me").json()["principal"]
    for sender, status in ((me, 201), ("somebody-else", 403)):
        assert web.post("/v1/games", {"ruleset": "casino", "seats": 2}, **{"Kiebitz-Sender": sender}).status_code == status


def test_a_token_needs_no_origin(service: Service):
    assert service.caller("recorder").open()
