"""The page of a series: every line opens to the results in its tournaments."""

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
