"""Register of people, the same for both databases."""

import pytest
from msgspec.structs import replace

from deploy.stores.opening import OpenedEvents
from domain.journal.registers import Person
from domain.player import player_stream
from tests.deploy.stores.shared import events, journal_url, shared
from tests.deploy.stores.stores import commit

__all__ = ["events", "journal_url", "shared"]  # fixtures

NOON, LATER = "2026-01-01T12:00:00Z", "2026-01-02T12:00:00Z"


def person(player: str, name: str | None, alias: str | None = None, at: str = NOON) -> Person:
    return Person(player, name, alias, at, "director")


def entered(events: OpenedEvents, *found: Person) -> None:
    events.enter_players(found)


def ids(
    events: OpenedEvents, words: str, *, public: bool = False, after: str = "", limit: int = 10, among: list[str] | None = None
) -> list[str]:
    return [one.player for one in events.search_players(words, after=after, limit=limit, public=public, among=among)]


def test_who_was_entered_is_found_by_id(events: OpenedEvents):
    anna, bert = person("p_1", "Anna Müller", "Falke"), person("p_2", "Bert")
    entered(events, anna, bert)
    assert events.find_players(["p_2", "p_1", "p_9", "p_2"]) == {"p_1": anna, "p_2": bert}
    assert events.find_players([]) == {}


def test_many_are_entered_and_found_at_once(events: OpenedEvents):
    many = [person(f"p_{number}", f"Name {number}") for number in range(1203)]
    entered(events, *many)
    assert events.find_players([one.player for one in many]) == {one.player: one for one in many}


def test_namesakes_are_found_by_the_whole_name(events: OpenedEvents):
    entered(events, *(person(id, name) for id, name in (("p_2", "Anna"), ("p_1", "Anna"), ("p_3", "Annabel"), ("p_4", "Bert"))))
    assert events.find_same_names(["Anna", "Cora", "Anna"]) == [person("p_1", "Anna"), person("p_2", "Anna")]
    assert events.find_same_names([]) == []


def test_entering_again_changes_nothing(events: OpenedEvents):
    entered(events, person("p_1", "Anna"))
    assert events.rename_person(person("p_1", "Anna Meier", "Falke", LATER), person("p_1", "Anna"))
    entered(events, person("p_1", "Anna"), person("p_2", "Bert"))
    assert events.find_players(["p_1", "p_2"]) == {"p_1": person("p_1", "Anna Meier", "Falke", LATER), "p_2": person("p_2", "Bert")}


def test_who_had_no_name_yet_gets_one_by_being_renamed(events: OpenedEvents):
    assert events.rename_person(person("p_1", "Anna"), None)
    assert events.find_players(["p_1"]) == {"p_1": person("p_1", "Anna")}


def test_an_erased_name_never_comes_back(events: OpenedEvents):
    entered(events, person("p_1", "Anna", "Falke"))
    events.erase_person("p_1", player_stream("p_1"), LATER, "director")
    events.erase_person("p_2", player_stream("p_2"), LATER, "director")
    entered(events, person("p_1", "Anna"), person("p_2", "Bert"))
    assert not any(events.rename_person(person("p_1", "Anna"), known) for known in (None, person("p_1", "Anna", "Falke")))
    assert events.find_players(["p_1", "p_2"]) == {"p_1": person("p_1", None, at=LATER), "p_2": person("p_2", None, at=LATER)}
    assert (ids(events, "anna"), ids(events, "falke")) == ([], [])


def test_with_the_name_goes_the_digest_of_the_request_that_held_it(events: OpenedEvents):
    events.commit_group([commit(player_stream("p_1"), 1, key="k"), commit(player_stream("p_2"), 1, key="l")])
    events.erase_person("p_1", player_stream("p_1"), LATER, "director")
    kept = [events.find_command("anna", key) for key in ("k", "l")]
    assert [one and one.fingerprint for one in kept] == ["", "digest"]


FOUND = {
    "a whole name": ("Anna Müller", "anna müller"),
    "the beginning of any word": ("Anna Müller", "mül"),
    "words in any order": ("Anna Müller", "müller a"),
    "without the accent": ("Anna Müller", "muller"),
    "as Germans write it without the sign": ("Anna Müller", "Mueller"),
    "with the sign where it is written without": ("Anna Mueller", "Müller"),
    "in other letters": ("ANNA", "anna"),
    "a sharp s": ("Strauß", "STRAUSS"),
    "a stroke through a letter": ("Łukasz Sørensen", "lukasz sorensen"),
    "a mark of its own": ("Amélie", "Ame\u0301lie"),
    "signs between words": ("Siobhán O'Brien-Smith", "brien smith"),
    "other alphabets": ("Анна Ёлкина", "елк"),
    "vowel signs": ("हिन्दी", "हिन्दी"),
    "full width": ("Ａｎｎａ", "anna"),
}


@pytest.mark.parametrize(("name", "words"), FOUND.values(), ids=FOUND)
def test_a_name_is_found_by(events: OpenedEvents, name: str, words: str):
    entered(events, person("p_1", name), person("p_2", "Somebody Else"))
    assert ids(events, words) == ["p_1"]


@pytest.mark.parametrize("words", ["nna", "anna x", "n%", "p_2"])
def test_a_name_is_not_found_by(events: OpenedEvents, words: str):
    entered(events, person("p_1", "Anna"))
    assert ids(events, words) == []


@pytest.mark.parametrize("words", ["", "  ", "%", "_", "' -"])
def test_without_a_letter_or_a_digit_there_is_nothing_to_look_for(events: OpenedEvents, words: str):
    with pytest.raises(ValueError, match="nothing to look for"):
        ids(events, words)


def test_alias_and_id_are_found_too(events: OpenedEvents):
    entered(events, person("GER-17", "Anna", "Falke"))
    assert [ids(events, words) for words in ("falk", "ger-17", "17", "anna falke ger")] == [["GER-17"]] * 4


def test_in_public_nobody_is_found_by_his_name(events: OpenedEvents):
    entered(events, person("p_1", "Anna Müller", "Falke"))
    found = [ids(events, words, public=True) for words in ("anna", "müller", "falke", "p_1", "falke anna")]
    assert found == [[], [], ["p_1"], ["p_1"], []]


def test_what_is_found_comes_by_id_page_by_page(events: OpenedEvents):
    entered(events, *(person(id, "Anna") for id in ("b", "a", "Z", "ä", "c")))
    assert ids(events, "anna", limit=2) == ["Z", "a"]
    assert ids(events, "anna", after="a") == ["b", "c", "ä"]


def test_a_change_tells_when_and_by_whom(events: OpenedEvents):
    entered(events, person("p_1", "Anna"))
    changed = Person("p_1", "Anna", "Falke", LATER, "somebody")
    assert events.rename_person(changed, person("p_1", "Anna"))
    assert events.find_players(["p_1"]) == {"p_1": changed}


BEFORE = person("p_1", "Anna", "Falke")


@pytest.mark.parametrize(
    "known",
    [
        None,
        replace(BEFORE, name="Anne"),
        replace(BEFORE, alias=None),
        replace(BEFORE, objects_to_names=True),
        replace(BEFORE, changed_at=LATER),
        replace(BEFORE, changed_by="somebody"),
    ],
)
def test_a_person_whom_somebody_changed_in_between_stays(events: OpenedEvents, known: Person | None):
    entered(events, BEFORE)
    assert not events.rename_person(replace(BEFORE, name="Anna Meier"), known)
    assert events.find_players(["p_1"]) == {"p_1": BEFORE}


def test_a_search_can_be_for_some_only(events: OpenedEvents):
    entered(events, *(person(f"p_{number}", "Anna") for number in range(5)))
    assert ids(events, "anna", among=["p_3", "p_1", "p_9"]) == ["p_1", "p_3"]
    assert ids(events, "anna", among=["p_3", "p_1"], after="p_1", limit=1) == ["p_3"]
    assert ids(events, "anna", among=[]) == []
    with pytest.raises(ValueError, match="nothing"):
        ids(events, "--", among=[])
