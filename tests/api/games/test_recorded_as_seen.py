"""A hand of every game, recorded over HTTP by somebody who sees no hand and knows no stock (COM-77).

A twin of it is recorded with the full deck. Who may only watch cannot tell one from the other; and the record of what was seen goes into
another store and is the same there.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from domain.cards import HIDDEN
from domain.effects import Effects
from domain.errors import Refused
from tests.api.conftest import Caller, Service, running, settings_of, without_limits
from tests.domain.games.conftest import random_game
from tests.domain.games.setups import TRIED
from tests.laws import Breaches, Playout, Step
from tests.telling.bystanders import BYSTANDERS, Known
from tests.telling.law import Recording

_TRIED, _STEPS = 6, 15
_CHANGING = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\b[0-9a-f]{64}\b|\d{4}-\d\d-\d\dT[\d:.]+Z")


def one_hand(key: str) -> Playout:
    """The first hand of a random game: of a few set-ups the one in which it is the shortest, but no trifle."""
    hands = []
    for set_up in TRIED[key]().set_ups[:_TRIED]:
        playout = random_game(key, set_up, f"as seen {set_up}")
        closed = next(number for number, step in enumerate(playout.steps, 1) if not step.after.in_hand)
        hands.append(playout._replace(steps=playout.steps[:closed]))
    return min((hand for hand in hands if len(hand.steps) >= _STEPS), key=lambda hand: len(hand.steps))


class Recorder(Recording):
    """Records a hand over HTTP with nothing known, and answers what the service asks from what everybody has just seen."""

    def __init__(self, caller: Caller, playout: Playout) -> None:
        super().__init__(playout, "nothing", playout.random("as seen"))
        self.caller = caller
        self.game = opened(caller, playout)

    def _recorded(self, step: Step, known: Known, lacks: Known) -> Effects:
        told = {"known": known} if known else {}
        if step.move is None:
            answer = self.caller.post(f"/v1/games/{self.game}/hands", {"dealer": step.seat, "deck": "unknown", **told})
        else:
            told |= {"lacks": lacks} if lacks else {}
            answer = self.caller.post(f"/v1/games/{self.game}/moves", {"seat": step.seat, "move": step.move, **told})
        if answer.status_code == 422:
            problem = answer.json()
            raise Refused(problem["code"], *problem["rules"], asks=problem.get("asks"))
        assert answer.status_code == 201, answer.text
        return super()._recorded(step, known, lacks)

    def _tell_what_lies_open(self, step: Step) -> None:
        before = len(self.done)
        super()._tell_what_lies_open(step)
        for done in self.done[before:]:
            answer = self.caller.post(f"/v1/games/{self.game}/tellings", {"known": done.known})
            assert answer.status_code == 201, answer.text

    def _listed(self, table: object) -> Breaches:
        """What is listed is no matter of this test."""
        return iter(())


def opened(caller: Caller, playout: Playout) -> str:
    setup = playout.rulebook.setup
    return caller.open(ruleset=setup.ruleset, options=dict(setup.options), seats=setup.seats, openness="never")


def recorded_in_full(caller: Caller, playout: Playout) -> str:
    """The twin: the same hand, with a deck of which every card is known."""
    game, (deal, *moves) = opened(caller, playout), playout.steps
    assert caller.post(f"/v1/games/{game}/hands", {"dealer": deal.seat, "deck": list(deal.deck)}).status_code == 201
    for step in moves:
        assert caller.post(f"/v1/games/{game}/moves", {"seat": step.seat, "move": step.move}).status_code == 201
    return game


def public(viewer: Caller, game: str, last: int) -> Iterator[str]:
    """What a viewer reads of the game up to this position, without ids, times and digests."""
    for position in range(1, last + 1, 4):
        yield _bare(viewer.get(f"/v1/games/{game}/table?view=public&position={position}").text)
    for path, items in (("history", "events"), ("replay", "frames")):
        for item in viewer.get(f"/v1/games/{game}/{path}?limit=1000").json()[items]:
            if item["position"] <= last:
                yield _bare(json.dumps(_orderless(item)))


def _bare(text: str) -> str:
    return _CHANGING.sub("…", text)


def _orderless(item: dict[str, Any]) -> dict[str, Any]:
    """A deal, without the order in which cards of one hand were dealt: nobody tells it."""
    if item["name"] == "hand.dealt/1":
        for effect in (*item.get("effects", ()), *item.get("body", {}).get("effects", ())):
            if effect[0] == "moved" and "hand:" in f"{effect[2]} {effect[3]}":
                effect[1].sort()
    return item


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """Another store."""
    with running(settings_of(tmp_path_factory.mktemp("elsewhere")), without_limits) as service:
        yield service


@pytest.mark.parametrize("key", sorted(BYSTANDERS))
def test_a_hand_recorded_as_it_is_seen_is_to_viewers_the_one_recorded_with_its_deck(key: str, service: Service, elsewhere: Service):
    recorder, viewer, playout = service.caller("recorder"), service.caller("viewer"), one_hand(key)
    recording = Recorder(recorder, playout)
    assert list(recording.breaches()) == []
    game, twin = recording.game, recorded_in_full(recorder, playout)

    last = len(playout.steps) + 1
    seen, due = list(public(viewer, game, last - 1)), list(public(viewer, twin, last - 1))
    assert len(seen) > 2 * (last - 1)
    assert seen == due
    for path in ("score-sheet", "table?view=public"):
        seen_last, due_last = (viewer.get(f"/v1/games/{one}/{path}").json() for one in (game, twin))
        assert {**seen_last, "game": "", "position": 0} == {**due_last, "game": "", "position": 0}, path

    assert recorder.get(f"/v1/games/{game}/audit").json()["verdict"] == "sound"
    goes_into_another_store(service, elsewhere, game)


def goes_into_another_store(here: Service, there: Service, game: str) -> None:
    """As the full record it is and as the simple one; both say the same there."""
    director, elsewhere = here.caller("director"), there.caller("director")
    whole = director.get(f"/v1/games/{game}/record?full=true").text
    answer = elsewhere.post("/v1/records", whole)
    assert answer.status_code == 201, answer.text
    assert elsewhere.get(f"/v1/games/{game}/record?full=true").text == whole
    assert elsewhere.get(f"/v1/games/{game}/audit").json()["verdict"] == "sound"

    record = director.get(f"/v1/games/{game}/record").json()
    assert set(record["hands"][0]["deck"]) >= {HIDDEN}
    [again] = elsewhere.post("/v1/records", record).json()["records"]
    assert again["error"] is None
    assert elsewhere.get(f"/v1/games/{again['game']}/record").json()["hands"] == record["hands"]
    for path in ("table", "score-sheet"):
        tales = [caller.get(f"/v1/games/{one}/{path}").json() for caller, one in ((director, game), (elsewhere, again["game"]))]
        assert [{**tale, "game": ""} for tale in tales] == [{**tales[0], "game": ""}] * 2, path
