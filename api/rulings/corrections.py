"""What is put right without a ruling of its own, or as an earlier ruling orders: the table, the points, an illegal move that stood."""

from api.rulings.commands import game_act, rules_of
from api.rulings.requests import AdjustPoints, LetMoveStand, RectifyTable
from api.rulings.rulings import points_of
from domain.ruling import adjust, let_stand, rectify

_EFFECTS = [["moved", ["4C"], "won:0", "board"]]

ACTS = (
    game_act(
        "rectifications",
        "rectify",
        "Put right what lies on the table",
        RectifyTable,
        "arbiter",
        lambda on: (rectify(on.now, rules_of(on), on.body.effects, on.text, on.body.ruling),),
        description="No rule is asked, but cards have to lie where they are taken from: none is gained or lost. `index` names the effect.",
        examples={"a card back": {"effects": _EFFECTS, "reason": "It was not taken.", "ruling": 1}},
    ),
    game_act(
        "stood-moves",
        "let_stand",
        "Record an illegal move that stood at the table, with what it really did",
        LetMoveStand,
        "arbiter",
        lambda on: (let_stand(on.now, rules_of(on), on.body.seat, on.body.move, on.body.effects, on.text, on.body.ruling),),
        description="The refusal that it would have got is recorded with it. Play goes on from what then lies there.",
        examples={"taken": {"seat": 0, "move": {"type": "trail", "card": "KC"}, "effects": _EFFECTS}},
    ),
    game_act(
        "adjustments",
        "adjust",
        "Give or take points",
        AdjustPoints,
        "arbiter",
        lambda on: adjust(on.now, points_of(on.body), on.text, on.body.ruling, rules_of(on).places),
        description="For a finished hand or for none. Later hands reckon with them; of a game that is over the places are reckoned anew.",
        examples={"a penalty": {"adjustments": [{"party": 1, "points": -1}], "reason": "late to the table"}},
    ),
)
