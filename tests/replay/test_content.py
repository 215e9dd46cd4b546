"""What makes two records the same: the game that they tell, however they are written down."""

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from domain.games import RULESETS
from domain.games.casino.ruleset import RULESET as CASINO
from replay.content import content_digest
from replay.export import export
from replay.record import events_of, history_of, parse
from tests.each import each

CASES = Path(__file__).parent.parent / "cases"
RECORD: dict[str, Any] = json.loads((CASES / "casino" / "game-two-players-classic.json").read_text(encoding="utf-8"))
ONE_OF_EACH = [json.loads(min(folder.glob("*.json")).read_text(encoding="utf-8")) for folder in sorted(CASES.iterdir())]


def digest(record: object) -> str:
    read = parse(record)
    return content_digest(events_of(read, RULESETS), RULESETS[read.ruleset])


SAME = {
    "another spelling of the JSON": json.dumps(RECORD, indent=3, sort_keys=True),
    "another name and words about it": {**RECORD, "name": "Saturday", "note": "the second table", "source": "a book", "rules": []},
    "players that are not known": {**RECORD, "players": [None] * RECORD["seats"]},
    "as the service writes it": export("x", history_of(RECORD, RULESETS)),
    "an option with its default": {**RECORD, "options": {"sweeps": False, "variant": "classic"}},
}
OTHER = {
    "a player": {**RECORD, "players": ["p-anna", *[None] * (RECORD["seats"] - 1)]},
    "a move less": {**RECORD, "hands": [*RECORD["hands"][:-1], {**RECORD["hands"][-1], "moves": RECORD["hands"][-1]["moves"][:-1]}]},
    "a hand less": {**RECORD, "hands": RECORD["hands"][:1]},
    "no hand": {**RECORD, "hands": []},
    "another option": {**RECORD, "hands": [], "options": {"sweeps": True}},
    "another number of seats": {**RECORD, "hands": [], "seats": 4},
}


@pytest.mark.parametrize("written", SAME.values(), ids=SAME)
def test_however_it_is_written_it_is_the_same_game(written: object):
    assert digest(written) == digest(RECORD)


def test_what_was_played_otherwise_is_another_game():
    told = [digest(other) for other in (RECORD, *OTHER.values())]
    assert len(set(told)) == len(told)


@each("record", ONE_OF_EACH, ids=lambda record: record["ruleset"])
def test_a_game_of_every_ruleset_is_known_again_from_what_is_exported(record: dict[str, Any]):
    accepted = {**record, "hands": []} if record["expect"].get("error") else record
    assert digest(export("x", history_of(accepted, RULESETS))) == digest(accepted)


def test_an_option_that_a_later_version_adds_makes_no_other_game_of_it():
    class Later:
        key, edition, about, sentence = CASINO.key, CASINO.edition, CASINO.about, CASINO.sentence

        def bind(self, options: object, seats: object) -> Any:
            rulebook = CASINO.bind(options, seats)
            setup = replace(rulebook.setup, options={**rulebook.setup.options, "more": "usual"})
            return _With(rulebook, setup)

    class _With:
        def __init__(self, rulebook: Any, setup: Any) -> None:
            self._rulebook, self.setup = rulebook, setup

        def __getattr__(self, name: str) -> Any:
            return getattr(self._rulebook, name)

    later = {**RULESETS, "casino": Later()}
    assert content_digest(events_of(parse(RECORD), later), later["casino"]) == digest(RECORD)
