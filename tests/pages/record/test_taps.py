"""Whole hands by touch alone, on a phone whose own keyboard stays shut, and what they cost: taps a move, deal and count apart."""

from collections.abc import Iterator, Sequence

import httpx
import pytest
from msgspec import Struct
from playwright.sync_api import Browser, expect

from domain.effects import CardsMoved
from tests.deploy.serving import Served, done
from tests.laws import Playout, Step
from tests.pages.record.planned import MOST, Act, describe_act, plan_hand, watch
from tests.pages.record.tapping import Finger
from tests.pages.record.test_record import recording
from tests.pages.visitors import Likes, Visitor, visiting

ON_A_PHONE = Likes(size=(390, 664), touch=True)
COUNT = 5
"""Taps at most for each seat whose cards are counted."""


class Hand(Struct, frozen=True):
    """``most``: taps a move at most, over all that are tapped, None where it is two for each card shown and two more; ``known``: whether
    the deck is; ``tapped``: how many acts at the beginning and at the end, those between them are no others.
    """

    ruleset: str
    seats: int
    seed: str
    most: float | None
    options: dict[str, object] = {}
    known: bool = False
    tapped: tuple[int, int] = (0, MOST)

    def __str__(self) -> str:
        return f"{self.ruleset}, {self.seats} seats{', known' if self.known else ''}"


HANDS = (
    Hand("alcasan", 3, "119", 2.4, tapped=(2, 4)),
    Hand("canasta", 4, "1010", 3.6, tapped=(2, 5)),
    Hand("canasta", 4, "130", 1.5, known=True, tapped=(0, 2)),
    Hand("cascades", 1, "1626", 3, tapped=(3, 1)),
    Hand("casino", 2, "3", 1.8, tapped=(2, 7)),
    Hand("quartett-classic", 3, "3", 2, {"deck_def": "wood"}, tapped=(2, 1)),
    Hand("quartett-trumpf", 4, "7", None, {"deck_def": "metals"}, tapped=(3, 1)),
)
"""Seeds of short hands."""


@pytest.fixture(scope="module")
def phone(browser: Browser, house: Served) -> Iterator[Visitor]:
    """Of one recorder, who goes from game to game."""
    with visiting(browser, house.url, ON_A_PHONE, house.token) as found:
        yield found


@pytest.mark.parametrize("hand", HANDS, ids=str)
def test_a_whole_hand_is_recorded_by_taps(phone: Visitor, house: Served, hand: Hand):
    playout, (first, last) = plan_hand(hand.ruleset, hand.options, hand.seats, hand.seed), hand.tapped
    with house.client() as client:
        acts = [describe_act(playout.rulebook, step.before, step) for step in playout.steps[1:]] if hand.known else watch(playout)
        last = max(len(acts) - last, first)
        game = opened(client, hand, playout)
        tapped = enter(phone, client, game, playout, acts[:first]) if first else []
        for act in acts[first:last]:
            done(client.post(f"/v1/games/{game}/moves", json={"seat": act.seat, "move": act.move, **tell(act)}))
        tapped += enter(phone, client, game, playout, acts[last:])
        moves = done(client.get(f"/v1/games/{game}/record"))["hands"][0]["moves"]
    phone.wrong.clear()  # browsers complain of each refusal that asks
    taps, closing = [len(path) for act, path in tapped if act.move and not counts(act)], [one for one in tapped if counts(one[0])]
    print(f"{hand}: {sum(taps) / len(taps):.2f} taps a move, deal {len(tapped[0][1])}, count {[len(path) for _, path in closing]}")  # noqa: T201
    assert [(one["seat"], one["move"]) for one in moves] == [(act.seat, act.move) for act in acts if act.move]
    steps = playout.steps[len(playout.steps) - len(acts) :]
    assert sum(taps) <= sum(allowed(hand, step) for step in (*steps[:first], *steps[last:]) if step.move)
    assert [act for act, path in closing if len(path) > 2 + COUNT * counts(act)] == []


def enter(visitor: Visitor, client: httpx.Client, game: str, playout: Playout, acts: Sequence[Act]) -> list[tuple[Act, list[str]]]:
    """Open the page and tap these acts; return what was tapped for each, as soon as the service has recorded them all. The page is left
    then: it would ask what can be done after each move that comes by another way.
    """
    page = recording(visitor, game)
    finger = Finger(page, client, game, playout.rulebook)
    tapped = [(act, finger.enter(act)) for act in acts]
    expect(page.locator("#log .grey")).to_have_count(0)
    page.goto("about:blank")
    return tapped


def tell(act: Act) -> dict[str, dict[str, list[str]]]:
    """Return the cards that answer what a move asks for, as the API takes them."""
    known, lacks = dict[str, list[str]](), dict[str, list[str]]()
    for ask, cards in act.answers:
        if "face" in ask:
            (known if ask["face"] in cards else lacks)[ask["zone"]] = [ask["face"]]
        else:
            known[ask["zone"]] = [*["?"] * ask["places"][0], *cards]
    if act.completes and act.move:
        card = str(act.move["card"])
        known[f"hand:{act.seat}"] = [f"{card[0]}{number}" for number in "1234" if number != card[1]]
    return {"known": known, "lacks": lacks}


def opened(client: httpx.Client, hand: Hand, playout: Playout) -> str:
    """A game; its hand is dealt where the deck is known."""
    game = str(done(client.post("/v1/games", json={"ruleset": hand.ruleset, "seats": hand.seats, "options": hand.options}))["game"])
    if hand.known:
        deal = playout.steps[0]
        done(client.post(f"/v1/games/{game}/hands", json={"dealer": deal.seat, "deck": deal.deck}))
    return game


def counts(act: Act) -> int:
    """How many seats are counted with a move."""
    return sum("count" in ask for ask, _ in act.answers)


def allowed(hand: Hand, step: Step) -> float:
    """Taps that a move may cost."""
    shown = sum(isinstance(effect, CardsMoved) and effect.shown and effect.source.startswith("hand:") for effect in step.effects)
    return 2 + 2 * shown if hand.most is None else hand.most
