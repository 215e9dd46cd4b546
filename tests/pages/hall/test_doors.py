"""Every form that a browser sends by itself, from a page on a host name: over plain http, where browsers send no Sec-Fetch-Site, and over
https. On 127.0.0.1 nothing of this can be seen.
"""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.deploy.config.test_tls import pair
from tests.deploy.serving import PATIENCE, Served, done, served

TEMPLATES = Path(__file__).parents[3] / "api" / "templates"
FORM = re.compile(r"<form\b[^>]*>")
SENT_BY_SCRIPT = re.compile(r'data-(to|path|issue|entering)="|id="form"')
READS = re.compile(r'method="(get|dialog)"')
NATIVE = {("shell.html.j2", "/appearance"), ("sign_in.html.j2", "/in"), ("sign_in.html.j2", "/out")}
"""What ``walk`` goes through: a new form that posts by itself belongs there."""


def test_every_form_that_posts_by_itself_is_walked_through():
    forms = [(file.name, form) for file in sorted(TEMPLATES.glob("*.j2")) for form in FORM.findall(file.read_text(encoding="utf-8"))]
    assert len(forms) > 20
    native = [(name, form) for name, form in forms if not SENT_BY_SCRIPT.search(form) and not READS.search(form)]
    found = {(name, *re.findall(r'method="post" action="([^"]*)"', form)) for name, form in native}
    assert found == NATIVE


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A service that speaks https and listens in all networks of the machine."""
    if shutil.which("openssl") is None:
        pytest.skip("there is no openssl")
    folder = tmp_path_factory.mktemp("hall")
    cert, key = pair(folder, "hall.test")
    with served("--data", folder / "data", "--host", "0.0.0.0", "--tls-cert", cert, "--tls-key", key) as found:
        yield found


def client_of(house: Served) -> httpx.Client:
    headers = {"Authorization": f"Bearer {house.token}"}
    return httpx.Client(base_url=house.url, headers=headers, verify=False, timeout=PATIENCE)  # its certificate signs itself


def codes(house: Served, number: int) -> list[str]:
    """So many for one viewer each; issued as a program does, by a token."""
    with client_of(house) as client:
        return [str(done(client.post("/v1/codes", json={"role": "viewer", "scope": "everything"}))["code"]) for _ in range(number)]


def is_signed_in(page: Page, yes: bool = True) -> None:
    expect(page.locator("a.who")).to_have_text("signed in" if yes else "Sign in", ignore_case=True)


def sign_out(page: Page) -> None:
    page.goto("/in")
    page.get_by_role("button", name="Sign out").click()
    is_signed_in(page, False)


def walk(page: Page, typed: str, linked: str, opened: str) -> None:
    page.goto("/in")
    page.get_by_label("Code or token").fill(typed)
    page.get_by_role("button", name="Sign in").click()
    is_signed_in(page)
    sign_out(page)
    page.goto(f"/in?next=%2Frules#{linked}")
    expect(page).to_have_url(re.compile("/rules$"))
    is_signed_in(page)
    sign_out(page)
    assert page.url.endswith("/in")
    page.goto(f"/in#{opened}")  # in a tab that shows the page already, where nothing is loaded
    expect(page).to_have_url(re.compile("/$"))
    is_signed_in(page)
    for name, chosen, shown in (("theme", "dark", "data-theme"), ("language", "de", "lang")):
        page.locator(".looks summary").click()
        page.locator(f".looks select[name={name}]").select_option(chosen)
        expect(page.locator("html")).to_have_attribute(shown, chosen)


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_forms_are_taken_on_a_host_name(browser: Browser, request: pytest.FixtureRequest, scheme: str):
    found: Served = request.getfixturevalue("house" if scheme == "http" else "hall")
    base = found.url.replace("127.0.0.1", "hall.test")
    context = browser.new_context(base_url=base, ignore_https_errors=True, locale="en-GB")
    try:
        walk(context.new_page(), *codes(found, 3))
        (cookie,) = [one for one in context.cookies() if one["name"] != "kiebitz-looks"]
        assert cookie["name"] == ("__Host-kiebitz" if scheme == "https" else f"kiebitz-{base.rpartition(':')[2]}")
    finally:
        context.close()


def test_a_code_made_on_the_machine_itself_names_the_address_that_was_chosen(browser: Browser, hall: Served):
    with client_of(hall) as client:
        offered = done(client.get("/v1/codes"))["addresses"]
        done(client.post("/v1/tournaments", json={"id": "evening", "ruleset": "casino", "seats": 2, "format": "manual"}))
    context = browser.new_context(base_url=hall.url, ignore_https_errors=True, locale="en-GB")
    try:
        page = context.new_page()
        page.goto(f"/in?next=/t/evening/desk?step=devices#{hall.token}")
        for chosen in dict.fromkeys((offered[0], offered[-1])):
            if len(offered) > 1:
                page.get_by_label("The code leads to").select_option(chosen)
            page.get_by_role("button", name="Make the code").click()
            expect(page.locator(".code-card")).to_contain_text(f"Open {chosen}/in and type")
            expect(page.locator(".code-card .warning")).to_have_count(1 if chosen == hall.url else 0)
    finally:
        context.close()
