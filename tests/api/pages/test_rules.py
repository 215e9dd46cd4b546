"""Rules as pages: every number has its place there, in every language, with examples out of the deck of the game."""

import re
from html import unescape

import pytest

from api.common.pages.shell import words
from domain.games import RULESETS
from domain.texts import LANGUAGES
from domain.texts.rule_sections import Decided
from replay.sample_games import find_minimum_seats
from tests.api.conftest import Service, service

__all__ = ["service"]  # a fixture

ANCHOR = re.compile(r'<li id="([A-Z]+-[0-9]+)">')
MARKED = re.compile(r'<li id="([A-Z]+-[0-9]+)">.*?<small class="mark">([^<]+)</small>', re.DOTALL)
CARD = re.compile(r'data-card="([^"]+)"><abbr title="([^"]+)">([^<]+)<')


def page(service: Service, path: str, language: str = "en") -> str:
    answer = service.caller(None).get(path, headers={"Accept": "text/html", "Accept-Language": language})
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-language"] == language
    return str(answer.text)


def decided_in(key: str, language: str) -> list[Decided]:
    return [one for chapter in RULESETS[key].about(language).chapters for one in chapter.decided]


def cards_of(key: str) -> set[str]:
    ruleset = RULESETS[key]
    return set(ruleset.about().deck) | set(ruleset.bind({}, find_minimum_seats(ruleset, {})).deck)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("key", RULESETS)
def test_every_rule_that_a_refusal_can_name_has_its_place_on_the_page_once(service: Service, key: str, language: str):
    about = RULESETS[key].about(language)
    named = {number for numbers in about.codes.values() for number in numbers}
    anchors = ANCHOR.findall(page(service, f"/rules/{key}", language))
    assert len(set(anchors)) == len(anchors)
    assert set(anchors) == {rule.number for rule in about.rules} | named


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("key", RULESETS)
def test_a_page_leads_to_no_place_that_is_not_on_it(service: Service, key: str, language: str):
    text = page(service, f"/rules/{key}", language)
    ids = re.findall(r' id="([^"]+)"', text)
    assert set(re.findall(r'href="#([^"]+)"', text)) <= set(ids)
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("key", RULESETS)
def test_each_rule_shows_whether_the_source_or_a_decision_made_it(service: Service, key: str, language: str):
    about, said = RULESETS[key].about(language), words(language)
    assert set(about.marks) == {rule.number for rule in about.rules}
    assert about.marks == RULESETS[key].about().marks
    shown = dict(MARKED.findall(page(service, f"/rules/{key}", language)))
    assert shown == {number: ", ".join(said[f"rules.mark.{mark}"] for mark in marks) for number, marks in about.marks.items()}
    assert [rule.number for rule in about.rules if rule.text.startswith("[")] == []


@pytest.mark.parametrize("key", RULESETS)
def test_every_game_says_in_both_languages_what_was_decided_and_why_in_at_most_a_dozen_lines(key: str):
    by_language = {language: decided_in(key, language) for language in LANGUAGES}
    assert 0 < len(by_language["en"]) <= 12
    cited = {language: [one.rules for one in decided] for language, decided in by_language.items()}
    assert cited["de"] == cited["en"]
    assert [one.text for decided in by_language.values() for one in decided if ": " not in one.text] == []


@pytest.mark.parametrize("key", RULESETS)
def test_what_is_told_as_decided_is_a_rule_with_that_mark(key: str):
    about = RULESETS[key].about()
    cited = [one.rules for one in decided_in(key, "en")]
    assert [rules for rules in cited if not any("decision" in about.marks[number] for number in rules)] == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("key", RULESETS)
def test_the_page_shows_what_was_decided_and_leads_to_it_and_to_its_rules(service: Service, key: str, language: str):
    text = page(service, f"/rules/{key}", language)
    (chapter,) = [chapter for chapter in RULESETS[key].about(language).chapters if chapter.decided]
    assert f'<a href="#decided">{chapter.title}</a>' in text
    section = text.partition('<section id="decided"')[2].partition("</section>")[0]
    assert f">{chapter.title}</h2>" in section
    shown = re.findall(r"<li>(.+?)</li>", section)
    assert [re.findall(r'<a href="#([A-Z]+-[0-9]+)">', line) for line in shown] == [list(one.rules) for one in chapter.decided]
    assert [unescape(re.sub(r"<[^>]+>", "", line)) for line in shown] == [f"{one.text} ({', '.join(one.rules)})" for one in chapter.decided]


@pytest.mark.parametrize("key", RULESETS)
def test_the_examples_are_laid_with_cards_of_the_deck_beside_rules_of_the_game(key: str):
    about = RULESETS[key].about()
    assert about.examples
    for example in about.examples:
        assert {card for row in example.lay for card in row.cards} <= cards_of(key)
        assert example.rule in {rule.number for rule in about.rules}
        assert set(example.told) == set(LANGUAGES)


@pytest.mark.parametrize("key", RULESETS)
def test_each_example_stands_below_its_rule(service: Service, key: str):
    places = page(service, f"/rules/{key}").split('<li id="')[1:]
    shown = [(place.partition('"')[0], unescape(told)) for place in places for told in re.findall(r"<p>([^<]+)</p>\n</figure>", place)]
    assert sorted(shown) == sorted((example.rule, example.told["en"]) for example in RULESETS[key].about().examples)


@pytest.mark.parametrize("key", RULESETS)
def test_without_script_each_card_is_its_sign_and_its_name(service: Service, key: str):
    shown = [tuple(map(unescape, found)) for found in CARD.findall(page(service, f"/rules/{key}", "de"))]
    assert {code for code, _, _ in shown} == cards_of(key)
    if key == "casino":
        assert ("TD", "Karo 10", "10♦") in shown


def test_the_options_stand_there_with_what_holds_where_nothing_is_said(service: Service):
    rows = re.findall(r"<tr><th scope=\"row\"><code>(\w+)</code></th><td>(.*?)</td><td>(.*?)</td>", page(service, "/rules/casino"))
    assert rows == [
        ("variant", "classic, royal", "classic"),
        ("partners", "yes, no", "no"),
        ("sweeps", "yes, no", "no"),
        ("target", "1 – 100", "21"),
        ("count_out", "order, total", "depends on another"),
        ("last_sweep", "counts, not", "counts"),
    ]


def test_the_games_that_are_kept_are_listed(service: Service):
    listed = re.findall(r'<li><a href="/rules/([\w-]+)">([^<]+)</a>', page(service, "/rules", "de"))
    assert listed == [(key, ruleset.about().names["de"]) for key, ruleset in RULESETS.items()]


def test_a_game_that_is_not_kept_is_no_page(service: Service):
    answer = service.caller(None).get("/rules/bridge", headers={"Accept": "text/html"})
    assert (answer.status_code, answer.headers["content-type"]) == (404, "text/html; charset=utf-8")


def test_a_rule_that_names_another_one_leads_there(service: Service):
    assert '<a href="#QDK-10">QDK-10</a>' in page(service, "/rules/quartett-trumpf")


def test_search_engines_may_have_the_rules(service: Service):
    assert 'name="robots"' not in page(service, "/rules/casino")


OPTION = re.compile(r'<tr><th scope="row"><code>(\w+)</code></th><td>(.*?)</td><td>(.*?)</td><td>(.*?)</td></tr>')


@pytest.mark.parametrize("key", RULESETS)
def test_each_option_shows_what_the_preset_of_the_source_sets(service: Service, key: str):  # COM-45
    shown = {name: source for name, _, _, source in OPTION.findall(page(service, f"/rules/{key}"))}
    assert list(shown) == list(RULESETS[key].about().presets[0].options)


def test_the_word_of_the_source_stands_beside_what_a_preset_sets(service: Service):
    shown = {name: unescape(source) for name, _, _, source in OPTION.findall(page(service, "/rules/casino"))}
    assert shown["last_sweep"] == "classic: counts; royal: not <small>a sweep is followed by a card laid down</small>"
    assert shown["target"] == "21"
    alcasan = {name: unescape(source) for name, _, _, source in OPTION.findall(page(service, "/rules/alcasan", "de"))}
    assert alcasan["extra_lay_right"] == "may <small>„darf eine weitere Karte ablegen“</small>"
    assert "widerspricht sich die Quelle" in alcasan["four_fit"]  # so the preset keeps the default
