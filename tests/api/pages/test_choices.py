"""Closed lists on pages: each comes from where it is closed, and everything on it has its words."""

import re
from pathlib import Path
from typing import get_args

import pytest

from api.http.request import ROLES
from api.pages.directing.fields import CLOSED, choices, directing_words, openness_of_a_game, option_fields
from domain.act_validation import DECIDED_BY
from domain.events.game import Decision, Instance
from domain.ruling import list_decisions
from domain.texts import LANGUAGES

API = Path(__file__).parents[3] / "api"
ASSETS = API / "assets"
LISTS = {**CLOSED, "role": ROLES, "decision": get_args(Decision), "instance": get_args(Instance)}
LITERAL = re.compile(r"""[\[(]\s*("\w+"(?:\s*,\s*"\w+")+)\s*,?\s*[\])]""")


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_that_can_be_chosen_has_its_words(language: str):
    said = directing_words(language)
    assert {name: [one for one, _ in members] for name, members in choices(said).items()} == {name: list(CLOSED[name]) for name in CLOSED}
    assert all(says for members in choices(said).values() for _, says in members)


def test_an_option_that_may_be_null_has_the_field_of_its_values():
    option = {"description": "moves", "anyOf": [{"type": "integer", "minimum": 1}, {"type": "null"}], "default": None}
    (field,) = option_fields({"$defs": {"Options": {"properties": {"move_limit": option}}}}, {}, {})
    assert (field.kind, field.label, field.value, field.least) == ("number", "moves", None, 1)


def test_a_game_alone_is_not_offered_to_wait_for_a_round():
    assert [one for one, _ in openness_of_a_game(directing_words("en"))] == ["hand_over", "game_over", "never"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_decision_has_its_words_and_its_fields_at_the_desk(language: str):
    words = "".join((ASSETS / "words" / f"{name}{language}.js").read_text(encoding="utf-8") for name in ("", "desk."))
    fields = (ASSETS / "desk" / "orders.js").read_text(encoding="utf-8")
    needed = [f'"desk.{part}.{one}":' for one in DECIDED_BY for part in ("decision", "means")]
    assert [key for key in needed if key not in words] == []
    assert [one for one in DECIDED_BY if not re.search(rf"^  {one}[:(]", fields, re.MULTILINE)] == []


def test_the_desk_offers_what_the_instance_may_decide():
    assert set(list_decisions("committee", disputed=True)) == set(get_args(Decision))
    assert set(list_decisions("arbiter", disputed=True)) == set(get_args(Decision)) - {"overturn"}
    assert set(list_decisions("arbiter", disputed=False)) == set(get_args(Decision)) - {"overturn", "stands"}
    assert list_decisions("committee", disputed=False) == []


def test_no_template_and_no_script_copies_a_closed_list():
    """Several members of one, in brackets."""
    files = [*(API / "templates").glob("*.j2"), *(one for one in ASSETS.rglob("*.js") if one.parent.name != "words")]
    found = [(file.name, found[1]) for file in files for found in LITERAL.finditer(file.read_text(encoding="utf-8"))]
    copies = [(where, text) for where, text in found for closed in LISTS.values() if set(re.findall(r"\w+", text)) <= set(closed)]
    assert copies == []
