"""Who asks a list again and again is told in a word that nothing came; and pages lead back where they can."""

import pytest

from tests.api.conftest import Caller, Service, link
from tests.api.people import register
from tests.api.tournament import announced, entered, paired

LISTS = (
    "/v1/games",
    "/v1/tournaments",
    "/v1/players",
    "/v1/players?search=later",
    "/v1/clubs",
    "/v1/rulings",
    "/v1/disputes",
    "/v1/feed",
    "/v1/scores",
)


@pytest.fixture(scope="module")
def places(service: Service) -> dict[str, str]:
    director = service.caller("director")
    tournament, game = announced(director), director.open(players=["polled", None])
    register(director, "polled", "Anna", club="lehrte")
    entered(director, tournament, 4)
    paired(director, tournament)
    director.deal(game)
    for text in ("late", "later", "latest"):
        director.post(f"/v1/games/{game}/notes", {"text": text})
    return {"tournament": tournament, "game": game}


def recorded(director: Caller, path: str) -> None:
    """Something that changes what stands there."""
    if path in ("/v1/rulings", "/v1/disputes"):
        game = director.open()
        director.deal(game)
        director.post(f"/v1/games/{game}/disputes", {"claim": "late"})
        answer = director.post(f"/v1/games/{game}/rulings", {"dispute": 1, "decision": "stands", "reason": "It was not."})
        assert answer.status_code == 201, answer.text
    elif path == "/v1/tournaments":
        announced(director)
    elif path == "/v1/scores":
        game = director.open(players=["polled", None])
        given = [{"party": 0, "points": 3}]
        assert director.post(f"/v1/games/{game}/adjustments", {"adjustments": given, "reason": "late"}).status_code == 201
    else:
        director.open()
        register(director, f"later-{len(director.get('/v1/players').json()['items'])}", "Anna Later", club="lehrte")


@pytest.mark.parametrize("path", LISTS)
def test_a_list_that_is_held_already_is_not_sent_again_until_it_changes(service: Service, places: dict[str, str], path: str):
    viewer = service.caller("viewer")
    first = viewer.get(path)
    held = {"If-None-Match": first.headers["etag"]}
    known = viewer.get(path, headers=held)
    assert (known.status_code, known.content, known.headers["etag"]) == (304, b"", first.headers["etag"])
    assert known.headers.get("link") == first.headers.get("link")
    recorded(service.caller("director"), path)
    news = viewer.get(path, headers=held)
    assert (news.status_code, news.headers["etag"] != first.headers["etag"]) == (200, True)


@pytest.mark.parametrize("path", ["/v1/players", "/v1/players?search=anna"])
def test_officials_and_viewers_hold_different_lists(service: Service, places: dict[str, str], path: str):
    etags = {service.caller(role).get(path).headers["etag"] for role in ("director", "viewer")}
    assert len(etags) == 2


def test_a_page_of_the_feed_that_waits_in_vain_is_known(service: Service, places: dict[str, str]):
    recorder = service.caller("recorder")
    path = f"/v1/feed?after={recorder.get('/v1/feed?limit=1').json()['head']}&wait=1"
    assert recorder.get(path, headers={"If-None-Match": recorder.get(path).headers["etag"]}).status_code == 304


@pytest.mark.parametrize("limit", [1, 2, 3, 4, 100])
@pytest.mark.parametrize(
    ("path", "what"),
    [("/v1/games/{game}/history", "events"), ("{tournament}/history", "events"), ("/v1/games/{game}/legal-moves", "moves")],
)
def test_from_every_page_one_comes_back_to_all_that_lies_before_it(
    recorder: Caller, places: dict[str, str], path: str, what: str, limit: int
):
    whole = recorder.get(path.format(**places)).json()[what]
    pages = [recorder.get(f"{path.format(**places)}?limit={limit}")]
    while path := link(pages[-1]):
        pages.append(recorder.get(path))
    assert [one for page in pages for one in page.json()[what]] == whole
    page, back = pages[-1], list(pages[-1].json()[what])
    while path := link(page, "prev"):
        page = recorder.get(path)
        back = [*page.json()[what], *back]
    assert (back, link(pages[0], "prev")) == (whole, "")
    assert (len(pages) > 1) == (len(whole) > limit)


def test_a_page_that_begins_anywhere_leads_back_to_the_beginning(recorder: Caller, places: dict[str, str]):
    tournament = places["tournament"]
    page = recorder.get(f"{tournament}/history?after=3&limit=2")
    assert link(page, "prev") == f"{tournament}/history?after=1&limit=2"
    assert link(recorder.get(link(page, "prev")), "prev") == f"{tournament}/history?after=0&limit=1"
