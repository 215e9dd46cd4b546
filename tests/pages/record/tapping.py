"""Somebody who records with one finger: of what the page shows he taps what leads to what was played, and counts his taps."""

from typing import Any

import httpx
from msgspec import Struct, convert
from playwright.sync_api import Page

from domain.cards import Card
from domain.rules import Rulebook
from tests.deploy.serving import done
from tests.pages.record.planned import Act, Answer, count_hand, name_keys

_LOOK = """async before => {
  const line = document.getElementById("line"), says = id => document.getElementById(id)?.innerText ?? "";
  const list = sought => [...document.querySelectorAll(sought)].filter(one => one.checkVisibility());
  const trouble = () => (list("#trouble button").length ? says("trouble") : "");
  const keys = () => list("#pad button").map(one => (one.disabled ? null : code(one) || one.ariaLabel || one.innerText));
  const code = one => [...one.querySelectorAll("[data-code]")].map(card => card.dataset.code).join(" ");
  const stands = () => JSON.stringify([line.value, says("will"), says("choices"), says("log"), trouble(), keys()]);
  const busy = () => line.ariaBusy === "true" && !trouble();
  // What is in the line is no part of the document, and may change alone.
  const changed = () => new Promise(done => {
    const watch = new MutationObserver(() => (clearTimeout(later), watch.disconnect(), done()));
    const later = setTimeout(() => (watch.disconnect(), done()), 100);
    watch.observe(document.body, {subtree: true, childList: true, attributes: true, characterData: true});
  });
  const drawn = () => new Promise(requestAnimationFrame); // the table is drawn once a frame
  const late = performance.now() + 2000;
  do {
    for (; busy() || (stands() === before && performance.now() < late); await drawn()) await changed();
    await drawn();
  } while (busy());
  const [grey, recorded] = ["#log .grey", "#log li:not(.grey)"].map(list);
  return {
    typed: line.value.trim(),
    says: says("will"),
    chips: list("[role=option]").map(one => code(one) || one.innerText),
    keys: keys(),
    felt: list("#stage [data-zone] .card").map(one => [one.closest("[data-zone]").dataset.zone, one.dataset.code, one.matches(".chosen")]),
    trouble: trouble(),
    position: (recorded.at(-1)?.value ?? 0) + grey.length,
    stands: stands(),
  };
}"""
_PLACE = """([selector, place]) => {
  const found = [...document.querySelectorAll(selector)].filter(one => one.checkVisibility()).at(place);
  found.scrollIntoView({block: "nearest", inline: "nearest"});
  const {x, y, width, height} = found.getBoundingClientRect();
  return [x + width / 2, y + height / 2];
}"""
CHIPS, KEYS, FELT, GO = "[role=option]", "#pad button", "#stage [data-zone] .card", "#go"
_SAID = {"said": True, "effects": True, "limit": 50}
COMPASS = ("North", "East", "South", "West")
COUNT, COUNTED_BY = 5, (100, 50, 20, 10, 5)
"""Keys at most for a hand that is counted, and what they add."""
MOST = 60
"""Taps of one act: with more of them something cannot be entered."""


class Shown(Struct, frozen=True):
    """What the page shows. ``keys``: what the keys of the pad say, None for those that are off; ``felt``: the zone and the code of
    each card, and whether it is chosen; ``position``: of the last entry.
    """

    typed: str
    says: str
    chips: list[str]
    keys: list[str | None]
    felt: list[tuple[str, str, bool]]
    trouble: str
    position: int
    stands: str


class Stuck(AssertionError):
    """What was played cannot be entered by what the page shows."""


class Finger:
    """``path``: what was tapped for the last act, as it is called; ``shown``: what the page shows after it."""

    def __init__(self, page: Page, client: httpx.Client, game: str, rulebook: Rulebook) -> None:
        self.page, self.client, self.game, self.rulebook = page, client, game, rulebook
        self.keys = name_keys(rulebook)
        self.path: list[str] = []
        self.look(None)

    def enter(self, act: Act) -> list[str]:
        """Enter an act; return what was tapped for it."""
        self.path = []
        words, taps, answers = self._describe(act), [*act.taps, *act.drawn], list(act.answers)
        due = self.shown.position + 1
        entered = False
        while self.shown.position < due:
            if len(self.path) >= MOST or self.shown.trouble:
                raise Stuck(f"{act}: {self.path}, {self.shown}")
            if entered:
                answers[:1] = self._answer(*answers[0])
            else:
                entered = self._choose(act, words, taps)
        return self.path

    def look(self, before: str | None) -> None:
        self.shown = convert(self.page.evaluate(_LOOK, before), Shown)

    def _tap(self, selector: str, place: int, words: str) -> None:
        self.page.touchscreen.tap(*self.page.evaluate(_PLACE, [selector, place]))
        self.path.append(words)
        self.look(self.shown.stands)

    def _chip(self, words: str) -> None:
        self._tap(CHIPS, self.shown.chips.index(words), words)

    def _key(self, words: str) -> None:
        self._tap(KEYS, self.shown.keys.index(words), words)

    def _describe(self, act: Act) -> list[str]:
        """Return what a chip says that records the move, and the sentence about it."""
        if act.move is None:
            return []
        while (answer := self._read(act)).status_code == 404:
            self.page.wait_for_timeout(10)  # milliseconds; the last entry is shown, and on its way
            self.look(None)
        found = done(answer)
        said = found["said"][found["moves"].index(act.move)]
        subject, *rest = [piece if isinstance(piece, str) else self._name(piece["seats"][0]) for piece in said]
        sentence = "".join((subject, *rest)).split("\n")[0]
        bare = sentence.removeprefix("" if isinstance(said[0], str) else subject).strip().removesuffix(".")
        chip = bare[:1].upper() + bare[1:]
        if act.drawn:
            return [f"{chip}, lays {name_red_three(act.drawn[0])}"]
        return [*self._say_answer(act), chip, sentence]

    def _read(self, act: Act) -> httpx.Response:
        query: dict[str, str | int] = {"position": self.shown.position, "seat": act.seat, "text": act.written, **_SAID}
        return self.client.get(f"/v1/games/{self.game}/legal-moves", params=query)

    def _say_answer(self, act: Act) -> list[str]:
        """Return what a chip says that answers with the question whether a card is there."""
        told = [ask["face"] in cards for ask, cards in act.answers if "face" in ask]
        if not told and not act.completes:
            return []
        assert act.move
        answer = "quartet complete" if act.completes else "Yes" if told[0] else "No"
        return [f"{self._name(int(str(act.move['target'])))}: {answer}"]

    def _name(self, seat: int) -> str:
        """Return how the page calls a seat."""
        return COMPASS[seat] if self.rulebook.setup.seats == len(COMPASS) else f"Seat {seat + 1}"

    def _choose(self, act: Act, words: list[str], taps: list[str], waited: bool = False) -> bool:
        """Tap what brings the act nearer; return whether it is entered, so that only questions may be left."""
        # Equal chips are told apart by what stands behind them in brackets.
        found = [chip for one in words for chip in self.shown.chips if chip == one or chip.startswith(f"{one} (")]
        if len(set(found)) == 1 and self.shown.chips.count(found[0]) == 1:
            self._chip(found[0])
        elif act.move is None or (not taps and words[-1] in self.shown.says):
            self._tap(GO, 0, "Record")
        elif taps:
            self._card(taps, act.seat)
            return not taps and not self.shown.typed
        elif waited:
            raise Stuck(f"{act}, {words}: {self.path}, {self.shown}")
        else:
            self.look(self.shown.stands)  # the service is asked what a line means after a pause
            return self._choose(act, words, taps, waited=True)
        return True

    def _card(self, taps: list[str], seat: int | None = None) -> None:
        """Tap the next card, meld or pile, where it lies or on the pad; of a pad first its rank."""
        card = taps[0]
        lying = [place for place, one in enumerate(self.shown.felt) if self._is_meant(card, seat, *one)]
        if not lying and card not in self.shown.keys:
            if self.keys.get(card) not in self.shown.keys:
                raise Stuck(f"{card}: {self.path}, {self.shown}")
            return self._key(self.keys[card])
        del taps[0]
        return self._tap(FELT, lying[0], f"{card} on the felt") if lying else self._key(card)

    def _is_meant(self, tap: str, seat: int | None, zone: str, code: str, chosen: bool) -> bool:
        """Whether this card on the felt is to be tapped. Where a deck has copies, one that does not lie with the seat is another one."""
        if seat is None or chosen:
            return False
        if tap == "x" or tap.startswith("+"):
            return zone == ("pile" if tap == "x" else f"meld:{seat % 2}:{tap[1:]}")
        if tap.startswith("#"):
            return zone == f"down:{seat}:{int(tap[1:]) - 1}"
        return code == tap and (len(set(self.rulebook.deck)) == len(self.rulebook.deck) or zone.endswith(f":{seat}"))

    def _answer(self, ask: dict[str, Any], cards: tuple[str, ...]) -> list[Answer]:
        """Answer the next question, or a part of it; return what is left of it."""
        match ask:
            case {"laid": None}:
                self._tap(CHIPS, 0, self.shown.chips[0])
            case {"laid": str(zone)}:
                self._chip(self._name(int(zone[-1])))
                self._chip(" ".join(cards))
            case {"count": _}:
                for key in self._spell_count(cards):
                    self._key(key)
                if self.shown.typed:  # ranks are recorded as soon as none is missing
                    self._tap(GO, 0, "Record")
            case _:
                left = list(cards)
                self._card(left)
                return [(ask, tuple(left))] if left else []
        return []

    def _spell_count(self, cards: tuple[Card, ...]) -> list[str]:
        """Return the keys for a hand that is counted: few ranks, else what its cards bring together, else the figures."""
        worth, keys = count_hand(cards), []
        if len(cards) < COUNT:
            return ["AKQ", *(self.keys[card] for card in cards)]
        for value in COUNTED_BY:
            keys += [f"+{value}"] * (worth // value)
            worth %= value
        return keys if len(keys) < COUNT else list(str(count_hand(cards)))


def name_red_three(card: str) -> str:
    return {"3H": "3 of hearts", "3D": "3 of diamonds"}[card]
