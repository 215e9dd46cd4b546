"""Forms send what was changed, and nothing else. The script of the page makes the bodies, in a browser; the service judges them."""

import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any, get_args

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from msgspec import UNSET, to_builtins
from msgspec.structs import replace
from playwright.sync_api import Browser, Route, expect

from api.common.pages.shell import address_of
from api.pages.directing.fields import directing_words
from domain.errors import Refused
from domain.events.game import OpensAt, OpensWhen
from domain.games import RULESETS
from domain.standings.plan import FORMATS, ByeBrings, Entrants, ForfeitBrings, PairingRules, ScoredBy, ScoringInput
from domain.standings.tie_breaks import TIE_BREAKS
from domain.tournament.announcement import AnnouncementInput, announce_tournament
from tests.deploy.serving import Served, done
from tests.domain.games.setups import TRIED
from tests.pages.conftest import Visit
from tests.pages.visitors import Likes, visiting

WORDS = directing_words("en")
Filled = Callable[..., Any]
_READ = """async ([script, path, form, fillings]) => {
  const {bodyOf} = await import(script);
  const page = await new Promise(done => {
    const request = new XMLHttpRequest();
    request.open("GET", path);
    request.responseType = "document";
    request.onload = () => done(request.response);
    request.send();
  });
  const found = page.querySelector(form), fields = [...found.elements].filter(one => one.name);
  const shown = fields.map(one => [one.name, one.selectedOptions?.[0].textContent ?? one.value]);
  const bodies = fillings.map(typed => {
    const copy = found.cloneNode(true);
    for (const [name, value] of Object.entries(typed)) {
      const fields = copy.querySelectorAll(`[name="${name}"]`);
      [value].flat().forEach((one, place) => { fields[place].value = one; });
    }
    return bodyOf(copy);
  });
  return {shown, bodies, sizes: [...(found.elements.seats?.options ?? [])].map(one => one.value)};
}"""


@pytest.fixture(scope="module")
def filled(browser: Browser, house: Served) -> Iterator[Filled]:
    """``filled(path, form, *typed)``: the bodies that the script of the pages makes of a form into which that was typed. One page reads
    the forms of all tests, and keeps none of them.
    """
    with visiting(browser, house.url, Likes(), house.token) as visitor:
        page = visitor.go("/new?what=tournament&ruleset=casino")
        yield lambda path, form, *typed: page.evaluate(_READ, [address_of("director/body.js"), path, form, typed])


@pytest.mark.parametrize("what", ["tournament", "game"])
def test_the_untouched_form_of_every_ruleset_succeeds_at_tables_of_every_size(filled: Filled, house: Served, what: str):
    title = {"title": "Cup"} if what == "tournament" else {}
    with house.client() as client:
        for ruleset in sorted(RULESETS):
            path = f"/new?what={what}&ruleset={ruleset}"
            sizes = filled(path, "form.order")["sizes"]
            untouched, *resized = filled(path, "form.order", title, *({**title, "seats": one} for one in sizes))["bodies"]
            assert set(untouched) == {"ruleset", "seats", *title, *(("format",) if title else ())}
            assert client.post(f"/v1/{what}s", json=untouched).status_code == 201
            assert [one["seats"] for one in resized] == list(map(int, sizes))
            for body in resized:
                assert client.post(f"/v1/{what}s?dry_run=true" if title else "/v1/games", json=body).status_code < 300


@st.composite
def announcements(draw: st.DrawFn) -> dict[str, Any]:
    """What may be announced, of every ruleset: as a program does, so with more than a form can show."""
    ruleset = draw(st.sampled_from(sorted(RULESETS)))
    set_up = draw(st.sampled_from(TRIED[ruleset]().set_ups))
    by = draw(st.sampled_from(get_args(ScoredBy)))
    parties = len(RULESETS[ruleset].bind(set_up.options, set_up.seats).setup.parties)
    places = tuple(sorted(draw(st.lists(st.integers(0, 9), min_size=parties, max_size=parties)), reverse=True))
    bye: ByeBrings = draw(st.sampled_from(("average", max(places), 1)))
    came: ForfeitBrings = draw(st.sampled_from(("bye", 0, 9)))
    proposal = AnnouncementInput(
        options=set_up.options,
        seats=set_up.seats,
        format=draw(st.sampled_from(sorted(FORMATS))),
        entrants=draw(st.sampled_from(get_args(Entrants))),
        scoring=ScoringInput(by=by, places=places, bye=bye, forfeit=(came, 0)),
        tie_breaks=(),
        rounds=draw(st.none() | st.integers(1, 20)),
        games=draw(st.integers(1, 3)),
        openness=draw(st.sampled_from((*get_args(OpensWhen), OpensAt(datetime(2030, 1, 1, tzinfo=UTC))))),
        live=draw(st.booleans()),
        own_moves=draw(st.booleans()),
        own_results=draw(st.booleans()),
        shuffle=draw(st.sampled_from((UNSET, "fair"))),
        pairing=draw(st.just(UNSET) | st.just(PairingRules(first_table=3, apart="club"))),
    )
    try:
        plan = announce_tournament(RULESETS[ruleset], "t", None, proposal, "seed")
    except Refused:
        assume(False)
    fit = draw(st.permutations([name for name, rule in TIE_BREAKS.items() if rule.makes_sense(plan)]))
    chosen = sorted(fit[: draw(st.integers(0, len(fit)))], key=lambda name: TIE_BREAKS[name].drawn)
    return {"ruleset": ruleset, "title": "Before", **to_builtins(replace(proposal, tie_breaks=tuple(chosen)))}


MORE_THAN_A_FORM_SHOWED = {
    "ruleset": "casino",
    "title": "Before",
    "seats": 2,
    "format": "swiss",
    "rounds": 3,
    "openness": {"at": "2030-01-01T00:00:00Z"},
    "tie_breaks": ["wins", "score_difference", "points", "direct_encounter", "buchholz", "lots"],
}


@settings(max_examples=10, deadline=None)
@given(announcement=announcements())
@example(announcement=MORE_THAN_A_FORM_SHOWED)
def test_a_correction_changes_nothing_but_what_was_typed(filled: Filled, house: Served, announcement: dict[str, Any]):
    with house.client() as client:
        id = done(client.post("/v1/tournaments", json=announcement))["tournament"]
        desk, form, path = f"/t/{id}/desk?step=announce", "form[data-to$='/correction']", f"/v1/tournaments/{id}"
        before = done(client.get(path))
        read = filled(desk, form, {}, {"title": "After"}, {"scoring.forfeit[]": ["", "-7"]})
        untouched, retitled, scored = read["bodies"]
        assert (untouched, retitled) == ({}, {"title": "After"})
        assert scored == {"scoring": {**before["scoring"], "forfeit": ["bye", -7]}}
        shown = [says for name, says in read["shown"] if name == "tie_breaks[]"]
        assert shown[: len(before["tie_breaks"])] == [WORDS[f"plan.tie_break.{one}"] for one in before["tie_breaks"]]
        done(client.post(f"{path}/correction", json=retitled))
        assert {**before, "title": "After", "position": 2} == done(client.get(path))


def test_the_wall_keeps_what_its_form_does_not_show(filled: Filled, house: Served):
    stands = {"show": "notice", "by": None, "round": None, "message": "Soup", "turn": 9, "hidden": None}
    clock = {"counts": "break", "left": 300, "until": None, "phases": []}
    with house.client() as client:
        announced = {key: MORE_THAN_A_FORM_SHOWED[key] for key in ("ruleset", "seats", "format")}
        path = f"/v1/tournaments/{done(client.post('/v1/tournaments', json=announced))['tournament']}"
        done(client.put(f"{path}/wall", json={**stands, "clock": {"counts": "break", "left": 300}}))
    desk = f"/t/{path.rsplit('/', 1)[1]}/desk?step=hall"
    without_turn = {key: value for key, value in stands.items() if key != "turn"}
    bodies = filled(desk, "#wall-form", {}, {"turn": "", "show": "clock"})["bodies"]
    assert bodies == [{**stands, "clock": clock}, {**without_turn, "show": "clock", "clock": clock}]


def test_what_is_submitted_before_the_scripts_are_there_is_sent_once_they_are(visit: Visit, house: Served):
    page = visit(Likes(), house.token).page
    held: list[Route] = []
    page.route("**/new.en.js", lambda route: held.append(route))
    page.goto(f"{house.url}/new?what=game&ruleset=casino", wait_until="commit")
    page.locator("form.order button.main").click()
    page.wait_for_timeout(0)  # the routes are handed over meanwhile
    assert held
    assert page.url.endswith("/new?what=game&ruleset=casino")
    for route in held:
        route.continue_()
    expect(page).to_have_url(re.compile("/g/.*/record$"))
