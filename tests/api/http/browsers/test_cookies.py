"""The session cookie beside others of its name: of another port, of an earlier version, of another page of the same host."""

import pytest

from tests.api.conftest import Service, secret
from tests.api.web import FORM, browser

SECRETS = {role: secret(role) for role in ("recorder", "viewer")}
JUNK = ["0" * 63 + str(number) for number in range(9)]


@pytest.fixture
def sessions(service: Service) -> dict[str, str]:
    """The secrets of two sessions that go on."""
    found = {}
    for role, shown in SECRETS.items():
        web = browser(service)
        web.enter(shown)
        (found[role],) = web.cookies.values()
    return found


def status(service: Service, cookies: str, host: str = "hall.example:8000", scheme: str = "http") -> int:
    answer = service.client.get(f"{scheme}://{host}/v1/games", headers={"Host": host, "Cookie": cookies})
    service.client.cookies.clear()
    return int(answer.status_code)


def test_two_services_of_one_host_have_cookies_of_their_own(service: Service, sessions: dict[str, str]):
    own, other = f"kiebitz-8000={sessions['recorder']}", f"kiebitz-8001={JUNK[0]}"
    assert status(service, f"{own}; {other}") == 200
    assert status(service, f"kiebitz-8001={sessions['recorder']}") == 401
    assert status(service, f"kiebitz-80={sessions['recorder']}", "hall.example") == 200, "a browser leaves the default port out"


def test_the_cookie_is_set_by_the_port_that_the_browser_used(service: Service):
    for host, name in (("hall.example:8000", "kiebitz-8000"), ("hall.example", "kiebitz-80")):
        headers = {"Host": host, "Origin": f"http://{host}", **FORM}
        answer = service.client.post(f"http://{host}/in", headers=headers, content=f"secret={SECRETS['viewer']}", follow_redirects=False)
        service.client.cookies.clear()
        assert answer.headers["set-cookie"].partition("=")[0] == name


def test_the_name_of_earlier_versions_is_read_where_there_is_no_other(service: Service, sessions: dict[str, str]):
    old = f"kiebitz={sessions['recorder']}"
    assert status(service, old) == 200
    assert status(service, f"{old}; kiebitz-8000={JUNK[0]}") == 401
    assert status(service, f"{old}; kiebitz-8000=x") == 200, "what can be no session of ours hides none"


@pytest.mark.parametrize("others", [JUNK[:1], JUNK[:4], JUNK, ["x"] * 20], ids=len)
def test_other_cookies_of_the_name_lock_nobody_out(service: Service, sessions: dict[str, str], others: list[str]):
    """Browsers send those of longer paths first."""
    cookies = "; ".join(f"kiebitz-8000={value}" for value in (*others, sessions["recorder"]))
    assert status(service, cookies) == 200


def test_the_last_five_of_the_name_are_looked_up(service: Service, sessions: dict[str, str]):
    for others, expected in ((JUNK[:4], 200), (JUNK[:5], 401)):
        assert status(service, "; ".join(f"kiebitz-8000={value}" for value in (sessions["recorder"], *others))) == expected


def test_of_two_sessions_that_go_on_neither_counts_until_somebody_signs_in_again(service: Service, sessions: dict[str, str]):
    """One of them is somebody else's, put into the browser: nobody shall record in another person's name."""
    both = "; ".join(f"kiebitz-8000={value}" for value in sessions.values())
    assert status(service, both) == 401
    host, body = "hall.example:8000", f"secret={SECRETS['viewer']}"
    headers = {"Host": host, "Origin": f"http://{host}", "Cookie": both, **FORM}
    answer = service.client.post(f"http://{host}/in", headers=headers, content=body, follow_redirects=False)
    service.client.cookies.clear()
    own = answer.headers["set-cookie"].partition(";")[0]
    assert status(service, f"kiebitz-8000={sessions['recorder']}; {own}") == 200
    assert [status(service, f"kiebitz-8000={value}") for value in sessions.values()] == [401, 401]


def test_on_https_white_space_of_elsewhere_makes_no_prefix(service: Service, sessions: dict[str, str]):
    """A browser lets any page of the domain set a cookie whose name begins with such a character."""
    assert status(service, f"__Host-kiebitz={sessions['recorder']}", scheme="https") == 200
    for blank in ("\x85", "\xa0"):
        cookies = f"{blank}__Host-kiebitz={sessions['recorder']}".encode("latin-1")
        answer = service.client.get("https://hall.example/v1/games", headers={b"Cookie": cookies})
        assert answer.status_code == 401
