"""A series by its forms: announced, filled and published, and no points of places where points come otherwise."""

from uuid import uuid4

from playwright.sync_api import expect

from tests.deploy.serving import Served, done
from tests.pages.conftest import Visit
from tests.pages.visitors import Likes


def test_a_series_is_announced_filled_and_published_by_its_forms(visit: Visit, house: Served):
    title, night = f"Cup {uuid4().hex[:6]}", f"night-{uuid4().hex[:6]}"
    with house.client() as client:
        done(
            client.post(
                "/v1/tournaments", json={"id": night, "title": title + " night", "ruleset": "casino", "seats": 2, "format": "swiss"}
            )
        )
    page = visit(Likes(), house.token).go("/new?what=series")
    page.get_by_label("Title").fill(title)
    page.get_by_label("Points of a tournament").select_option("field")
    expect(page.get_by_label("Points of the places")).to_be_hidden()
    page.get_by_role("button", name="Announce the series").click()
    page.wait_for_url("**/desk")
    page.locator('select[name="tournament"]').select_option(night)
    page.get_by_role("button", name="Add a tournament").click()
    expect(page.get_by_text("· being played")).to_be_visible()
    page.get_by_label("Everybody, players by their aliases").check()
    expect(page.get_by_text("The series is published: its table shows everybody the results of 1 tournament")).to_be_visible()
    with page.expect_response(lambda answer: answer.url.endswith("/publication") and answer.status == 201):
        page.get_by_role("button", name="Let it be so").click()
    expect(page.get_by_label("Everybody, players by their aliases")).to_be_checked()
    with house.client() as client:
        (series,) = [one for one in client.get("/v1/series").json()["items"] if one["title"] == title]
        told = client.get(f"/v1/series/{series['id']}").json()
    assert (told["plan"]["points"], told["tournaments"]) == (
        {"by": "field", "table": [], "ties": "average"},
        [{"tournament": night, "weight": "1"}],
    )
    assert told["publication"] == "aliases"
