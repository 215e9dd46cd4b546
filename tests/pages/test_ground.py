"""What all pages have: a bar, how they look, and what to do where there is nothing."""

import re

from playwright.sync_api import expect

from tests.deploy.serving import Served
from tests.pages.conftest import Visit
from tests.pages.visitors import Likes, stored


def test_the_first_page_speaks_the_language_of_the_browser(visit: Visit):
    for language, title in (("en", "Tables and tournaments"), ("de", "Tische und Turniere")):
        page = visit(Likes(language=language)).go("/")
        expect(page.get_by_role("heading", level=1)).to_have_text(title)
        expect(page.locator("html")).to_have_attribute("lang", language)


def test_how_pages_look_is_chosen_on_any_page_and_stays(visit: Visit):
    page = visit().go("/in")
    page.get_by_label("Appearance").click()
    page.locator("select[name=theme]").select_option("dark")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(page).to_have_url(re.compile("/in$"))
    page.get_by_label("Appearance").click()
    page.locator("select[name=language]").select_option("de")
    expect(page.get_by_role("heading", level=1)).to_have_text("Bei Kiebitz anmelden")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


def test_who_signs_in_by_a_link_comes_to_the_first_page(visit: Visit, house: Served):
    with house.client() as client:
        code = client.post("/v1/codes", json={"role": "viewer", "scope": "everything", "good_for": "many", "label": "The hall"}).json()[
            "code"
        ]
    page = visit().go(f"/in#{code}")
    expect(page).to_have_url(re.compile("/$"))
    expect(page.locator(".who")).to_have_text("The hall")


def test_an_address_that_leads_nowhere_says_what_to_do(visit: Visit):
    visitor = visit()
    for path in ("/nowhere", "/g/00000000-0000-0000-0000-000000000000"):
        page = visitor.go(path)
        expect(page.get_by_role("link", name="To the first page")).to_be_visible()
    visitor.wrong.clear()  # browsers complain of each 4xx


def test_without_a_network_the_page_says_so(visit: Visit):
    visitor = visit(Likes(keeps=True))
    page = visitor.go("/")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    visitor.context.set_offline(True)
    page.goto(f"{visitor.url}/t/anything")
    expect(page.get_by_role("heading", level=1)).to_have_text("No connection")
    visitor.context.set_offline(False)
    visitor.wrong.clear()


def test_a_browser_keeps_files_of_pages_and_nothing_else(visit: Visit):
    visitor = visit(Likes(keeps=True))
    page = visitor.go("/")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    kept = stored(page)
    assert {re.sub(r"^https?://[^/]+", "", address).split("/")[1] for address in kept["caches"]} == {"assets", "offline"}
    assert (kept["local"], kept["session"], kept["bases"]) == ({}, {}, [])
