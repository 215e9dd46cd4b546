"""The page of a rating list, and the course of a rating on the page of a player."""

from tests.api.conftest import Service
from tests.api.series.test_series import night

PAGE = {"Accept": "text/html"}


def test_the_list_leads_to_players_whose_pages_draw_their_course(service: Service):
    director, viewer = service.caller("director"), service.caller("viewer")
    director.post("/v1/players", {"id": "p1", "name": "Anna Meier", "alias": "Falke", "club": "condor"})
    night(director, 21, 17), night(director, 21, 9)
    listed = viewer.get("/ratings", headers={**PAGE, "Accept-Language": "de"})
    assert listed.status_code == 200, listed.text
    assert all(
        words in listed.text
        for words in ("Wertungszahlen: Casino", '<a class="whole" href="/p/p1">Falke</a>', "condor · 2 Partien", "vorläufig")
    )
    shown = viewer.get("/p/p1", headers={**PAGE, "Accept-Language": "en"}).text
    rating = director.get("/v1/ratings?ruleset=casino").json()["items"][0]["rating"]
    assert f"Rating <b>{rating}</b>" in shown
    assert f'aria-label="Rating from game to game, {rating} after the last one; highest {rating}' in shown
    none = viewer.get("/ratings?ruleset=casino&club=&to=2020-01-01&established=yes", headers={**PAGE, "Accept-Language": "en"}).text
    assert "Nobody has a rating here yet." in none


def test_a_published_list_stands_there_for_everybody_with_what_changed_since_the_one_before(service: Service):
    director, nobody = service.caller("director"), service.caller(None)
    director.post("/v1/players", {"id": "p1", "name": "Anna Meier"})
    numbers = []
    for points in ((21, 17), (9, 21)):
        night(director, *points)
        body = {"ruleset": "casino", "publication": "names"}
        numbers.append(director.post("/v1/ratings/lists", body).json()["position"])
    rows = {one["player"]: one for one in director.get(f"/v1/ratings/lists/casino/{numbers[1]}").json()["items"]}
    moved = rows["p1"]["rating"] - rows["p1"]["rating_before"]
    shown = nobody.get("/ratings", headers={**PAGE, "Accept-Language": "en"}).text
    assert all(words in shown for words in (f"<strong>List {numbers[1]}</strong>", f"−{-moved}, place", f"number={numbers[0]}"))
    assert "/p/p1" not in shown
    assert "Publish a list" not in shown
    form = director.get("/new?what=ratings&ruleset=casino", headers=PAGE).text
    assert 'data-to="/v1/ratings/lists"' in form
    assert "/new?what=ratings" in director.get(f"/ratings?ruleset=casino&number={numbers[0]}", headers=PAGE).text


def test_without_a_published_list_readers_of_one_tournament_see_no_ratings(service: Service):
    shown = service.caller(None).get("/ratings?ruleset=canasta", headers={**PAGE, "Accept-Language": "de"})
    assert (shown.status_code, "noch keine Liste" in shown.text) == (200, True)
