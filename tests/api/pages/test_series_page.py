"""The pages of a series: every line opens to the results in its tournaments; wall, desk, and the form of a new one."""

import re

from tests.api.conftest import Service
from tests.api.series.test_series import cup, night

PAGE = {"Accept": "text/html"}


def test_a_line_opens_to_its_results_in_both_languages(service: Service):
    director = service.caller("director")
    one, two = night(director, 21, 17), night(director, 3, 9, end=False)
    path = f"/s/{cup(director, one, two, best=1).rpartition('/')[2]}"
    shown = director.get(path, headers={**PAGE, "Accept-Language": "en"})
    assert shown.status_code == 200, shown.text
    assert "<h1>Cup</h1>" in shown.text
    assert f'<a class="whole" href="/t/{one}">Club night</a></td><td class="number">1</td><td class="number">5</td>' in shown.text
    assert "(does not count)" in shown.text
    german = director.get(f"{path}?after={one}", headers={**PAGE, "Accept-Language": "de"}).text
    assert all(words in german for words in ("Einzelwertung", "die besten 1 Ergebnisse zählen", "Nach Club night"))


def test_everybody_reads_it_once_it_is_published(service: Service):
    director, nobody = service.caller("director"), service.caller(None)
    series = cup(director, night(director, 21, 17))
    path = f"/s/{series.rpartition('/')[2]}"
    assert nobody.get(path, headers=PAGE).status_code == 401
    director.post(f"{series}/publication", {"publication": "aliases"})
    shown = nobody.get(path, headers={**PAGE, "Accept-Language": "en"})
    assert (shown.status_code, "Tournament 1" in shown.text, "/t/night" in shown.text) == (200, True, False)


def test_the_desk_has_a_form_of_every_act_until_the_series_ends(service: Service):
    director = service.caller("director")
    inside, outside = night(director, 21, 17), night(director, 3, 9)
    series = cup(director, inside, tables={"category": True})
    director.post(f"{series}/adjustments", {"player": "p1", "points": -2, "reason": "late twice"})
    desk = f"/s/{series.rpartition('/')[2]}/desk"

    def forms() -> list[str]:
        return re.findall(rf'<form [^>]*data-to="{series}/(\w+)"', director.get(desk, headers=PAGE).text)

    assert forms() == ["removals", "tournaments", "adjustments", "categories", "corrections", "publication", "ending"]
    shown = director.get(desk, headers={**PAGE, "Accept-Language": "en"}).text
    assert [words in shown for words in (f'<option value="{outside}">Club night</option>', "-2", "late twice")] == [True, True, True]
    assert director.post(f"{series}/ending", {}).status_code == 201
    assert forms() == ["publication"]
    assert [service.caller(role).get(desk, headers=PAGE).status_code for role in ("arbiter", "viewer", None)] == [403, 403, 401]


def test_a_new_series_has_a_form_for_directors(service: Service):
    director = service.caller("director")
    form = director.get("/new?what=series", headers={**PAGE, "Accept-Language": "de"}).text
    assert 'data-to="/v1/series"' in form
    assert "Punkte der Plätze" in form
    assert 'data-to="/v1/series"' not in service.caller("recorder").get("/new?what=series", headers=PAGE).text


def test_the_wall_shows_places_names_and_points(service: Service):
    director = service.caller("director")
    wall = f"/s/{cup(director, night(director, 21, 17)).rpartition('/')[2]}/wall"
    shown = director.get(wall, headers={**PAGE, "Accept-Language": "en"}).text
    rows = re.findall(r'<span class="name">([^<]*)</span> <b class="points">([^<]*)</b>', shown)
    assert rows == [("A player", "5"), ("A player", "3")]


def test_the_first_page_leads_to_the_series_that_its_reader_may_read(service: Service):
    director, nobody = service.caller("director"), service.caller(None)
    series = cup(director)
    link = f'<a href="/s/{series.rpartition("/")[2]}">Cup</a>'

    def has_link() -> list[bool]:
        return [link in caller.get("/", headers=PAGE).text for caller in (director, nobody)]

    assert has_link() == [True, False]
    director.post(f"{series}/publication", {"publication": "aliases"})
    assert has_link() == [True, True]
