"""What lies on the felt: every zone once, at its place, and no card that is not told."""

import gzip
from collections import Counter
from typing import Any

import pytest

from api.common.pages.shell import address_of, files
from domain.games import RULESETS
from tests.pages.conftest import Drawing
from tests.pages.table.drawn import Drawn, Felt, asking, at_the_end, felts
from tests.pages.table.told import Told, told_cases, told_of_all_cases

CAPTURE = "casino/hand-two-players-classic"
MOST_SCRIPT, MOST_STYLE = 5_120, 2_048
"""Bytes, packed."""


def game(name: str, who: str = "arbiter") -> Told:
    (found,) = (game for game in told_cases(f"{name}.json") if game.name == f"{name}, {who}")
    return found


def after(name: str, position: int, who: str = "arbiter", **differently: Any) -> dict[str, Any]:
    found = game(name, who)
    return asking(found, frames=found.frames[:position], **differently)


def lying(felt: Felt) -> dict[str, Drawn]:
    return {zone.zone: zone for zone in felt.zones}


def untold(felt: Felt, start: dict[str, Any]) -> list[object]:
    """Codes on the felt that the masked table does not tell, zone by zone: neither as a card nor as one of a block."""
    drawn = [(zone.zone, Counter(card.rstrip("*") for card in zone.cards)) for zone in felt.zones]
    faces = [(zone, Counter({code: number for code, number in cards.items() if code != "?"})) for zone, cards in drawn]
    tucked = {
        zone: Counter(face for block in start.get("blocks", ()) if zone in block["places"] for face in block["faces"]) for zone, _ in faces
    }
    return [(zone, cards) for zone, cards in faces if cards - Counter(start["zones"][zone]["cards"]) - tucked[zone]]


@pytest.fixture(scope="module")
def whole(drawing: Drawing) -> list[tuple[Told, Felt]]:
    """Every game as everybody sees it in the end."""
    games = told_of_all_cases()
    return list(zip(games, felts(drawing(), [at_the_end(one) for one in games]), strict=True))


def test_every_zone_of_every_case_lies_on_the_felt_once_and_tells_no_more_than_the_table(whole: list[tuple[Told, Felt]]):
    for one, felt in whole:
        zones = one.shown[-1].start["zones"]
        drawn = [zone.zone for zone in felt.zones]
        assert len(drawn) == len(set(drawn)), one.name
        assert {name for name, zone in zones.items() if zone["cards"]} <= set(drawn) <= set(zones), one.name
        assert untold(felt, one.shown[-1].start) == [], one.name
        assert [zone.label for zone in felt.zones if f"{len(zones[zone.zone]['cards'])} card" not in zone.label] == [], one.name


def test_a_game_without_hints_lies_as_rows_with_their_names(drawing: Drawing):
    seen = {(one.ruleset, len(one.shown[-1].start["zones"])): one for one in told_of_all_cases() if one.name.endswith("arbiter")}
    games, page = list(seen.values()), drawing()
    for one, felt in zip(games, felts(page, [at_the_end(one, layout=[], deck=None) for one in games]), strict=True):
        zones = one.shown[-1].start["zones"]
        assert {name for name, zone in zones.items() if zone["cards"]} <= lying(felt).keys(), one.name
        assert untold(felt, one.shown[-1].start) == [], one.name
    (casino,) = felts(page, [after(CAPTURE, 20, layout=[])])
    assert lying(casino)["hand:0"] == Drawn("hand:0", "Anna: hand, 3 cards", ["2C", "9S", "KC"], ["Anna: hand"])


def test_a_block_lies_beside_its_stack_as_a_fan_for_the_arbiter_alone(drawing: Drawing):  # QTR-32
    name = "quartett/own-unknown-cards-won"
    seen = {who: felts(drawing(), [at_the_end(game(name, who))])[0] for who in ("arbiter", "public", "seat:2")}
    fans = {who: [card for card in lying(felt)["hand:2"].cards if card != "?"] for who, felt in seen.items()}
    assert fans == {"arbiter": ["A1", "A2", "B1"], "public": [], "seat:2": []}


def test_a_table_of_casino_is_told_whole(drawing: Drawing):
    page = drawing()
    (felt,) = felts(page, [after(CAPTURE, 20)])
    assert felt == Felt(
        zones=[
            Drawn("hand:1", "Ben: hand, 3 cards", ["8D", "QD", "KH"], []),
            Drawn("won:1", "Ben: taken, 8 cards", [], ["8", "taken"]),
            Drawn("board", "table, 2 cards", ["KS", "JH"], []),
            Drawn("build:2:0", "build, 3 cards", ["3S", "4C", "AC"], ["8", "Ben"]),
            Drawn("stock", "stock, 24 cards", ["?"], ["24", "stock"]),
            Drawn("hand:0", "Anna: hand, 3 cards", ["2C", "9S", "KC"], []),
            Drawn("won:0", "Anna: taken, 9 cards", [], ["9", "taken"]),
        ],
        seats=["Ben, to act", "Anna, dealer"],
        signs=[],
    )


def test_who_looks_sits_below_and_the_others_in_turn_order(drawing: Drawing):
    page = drawing()
    drawn = felts(page, [asking(game("alcasan/17-whole-game-four-seats"), bottom=seat) for seat in range(4)])
    seats = [[seat.partition(",")[0] for seat in felt.seats] for felt in drawn]
    assert seats == [
        ["Ben", "Cäcilia", "Dan", "Anna"],
        ["Cäcilia", "Dan", "Anna", "Ben"],
        ["Dan", "Anna", "Ben", "Cäcilia"],
        ["Anna", "Ben", "Cäcilia", "Dan"],
    ]


def test_names_are_text(drawing: Drawing):
    page = drawing()
    (felt,) = felts(page, [after(CAPTURE, 20, names=["<b>Anna</b>", "Seat 2"])])
    assert felt.seats == ["Seat 2, to act", "<b>Anna</b>, dealer"]


def test_the_cards_that_were_moved_last_shine(drawing: Drawing):
    page = drawing()
    trailed, built, dealt = felts(page, [after(CAPTURE, position) for position in (4, 19, 2)])
    assert lying(trailed)["board"].cards == ["9C", "7C", "2D", "KS*"]
    assert lying(built)["build:2:0"].cards == ["3S*", "4C*", "AC*"]
    assert [card for zone in dealt.zones for card in zone.cards if card.endswith("*")] == []


def test_a_stock_lies_face_down_whoever_looks_until_it_is_opened(whole: list[tuple[Told, Felt]]):
    stocks = [(one, felt, one.shown[-1].start["zones"].get("stock")) for one, felt in whole if one.name.endswith("arbiter")]
    drawn = [(one, felt) for one, felt, stock in stocks if stock and stock["cards"] and stock["sight"] == "none"]
    assert {one.ruleset for one, _ in drawn} == {"casino", "canasta", "alcasan", "cascades"}
    assert [one.name for one, felt in drawn if lying(felt)["stock"].cards not in (["?"], ["?*"])] == []


@pytest.mark.parametrize(
    ("language", "frozen", "level", "announced", "swept"),
    [
        ("en", "frozen", "Anna and Ben", "announced: Melting point", "sweeps: 1"),
        ("de", "eingefroren", "Anna und Ben", "angesagt: Schmelzpunkt", "Sweeps: 1"),
    ],
)
def test_what_marks_say_stands_beside_in_the_language_of_the_page(
    language: str, frozen: str, level: str, announced: str, swept: str, drawing: Drawing
):
    page = drawing(language)
    pile, tie, choice, sweep = felts(
        page,
        [
            at_the_end(game("canasta/11-frozen-no-lay-off")),
            at_the_end(game("quartett/t05-tie-state")),
            after("quartett/t07-choice-with-three-cards", 3),
            after("casino/hand-partners-with-sweeps", 38),
        ],
    )
    assert lying(pile)["pile"].words[2:] == [frozen]
    assert lying(tie)["middle"].words == [level]
    assert announced in choice.signs
    assert lying(sweep)["won:0"].words[2:] == [swept]


@pytest.mark.parametrize("key", RULESETS)
def test_a_felt_that_is_drawn_anew_step_by_step_is_the_one_drawn_at_once(key: str, drawing: Drawing):
    longest = max(
        (one for one in told_of_all_cases() if one.ruleset == key and not one.name.endswith("arbiter")), key=lambda one: len(one.frames)
    )
    page = drawing()
    assert page.evaluate(_STEPS, [address_of("table.js"), address_of("zones.js"), asking(longest)]) == []


def test_script_and_style_of_a_table_are_small():
    packed = {name: len(gzip.compress(files()[name])) for name in ("zones.js", "table.js", "table.css")}
    assert (packed["zones.js"] + packed["table.js"] <= MOST_SCRIPT, packed["table.css"] <= MOST_STYLE) == (True, True), packed


_STEPS = """async ([table_js, zones_js, {frames, options}]) => {
  const {draw} = await import(table_js), {EMPTY, litBy, follow} = await import(zones_js);
  const wrong = [];
  let table = EMPTY, felt, before = {};
  for (const frame of frames) {
    const after = follow(table, frame), how = {...options, sees: after.sees, lit: litBy(frame.effects)};
    felt = draw(after, how, felt);
    if (felt.outerHTML !== draw(after, how).outerHTML) wrong.push(frame.position);
    table = after;
  }
  return wrong;
}"""
