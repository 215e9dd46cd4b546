"""Golden playthroughs: a game of each set-up as it was once played, with a hash of the state after every step.

They find what no rule test looks for: any change of what a move does to the table or of how that is stored. A change that was
meant is written down by ``python -m tests.golden``; the stored moves stay the same as long as they are legal, so that the
difference shows the hashes that changed and no others.
"""

import json
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from domain.effects import Effects
from domain.errors import Refused
from domain.games import RULESETS
from domain.score import sheet
from domain.table import Table, fold
from tests.domain.games.setups import TRIED, SetUp
from tests.laws import Playout, play, strictly

FOLDER = Path(__file__).parent
_LONGEST = 110
"""Steps, so that a file stays readable; short games come to their end within it."""


class Golden(NamedTuple):
    key: str
    set_up: SetUp

    @property
    def file(self) -> Path:
        words = "".join(letter if letter.isalnum() else " " for letter in str(self.set_up)).split()
        return FOLDER / self.key / ("-".join(words) + ".json")


ALL = tuple(Golden(key, set_up) for key, tried in TRIED.items() for set_up in tried().set_ups)


WRITE = ".venv/bin/python -m tests.golden"


def stored(golden: Golden) -> dict[str, Any]:
    """Raises ``FileNotFoundError`` that says what to run."""
    if not golden.file.exists():
        raise FileNotFoundError(f"There is no golden playthrough {golden.file.relative_to(FOLDER)} yet: {WRITE} writes it.")
    read: dict[str, Any] = json.loads(golden.file.read_text(encoding="utf-8"))
    return read


def renewed(golden: Golden) -> dict[str, Any]:
    """The stored playthrough with the hashes that it has now; another one if there is none or its moves are no longer legal."""
    if golden.file.exists():
        try:
            return hashed(stored(golden))
        except Refused:
            pass
    return hashed(_played(golden))


def hashed(game: dict[str, Any]) -> dict[str, Any]:
    """The playthrough with its hashes and its sheet as the rulebook makes them now. Raises ``Refused``."""
    rulebook = RULESETS[game["ruleset"]].bind(game["options"], game["seats"])
    table = Table(rulebook.setup)
    hands = []
    for hand in game["hands"]:
        deal = rulebook.deal(table, hand["dealer"], hand["deck"].split())
        table = fold(table, deal)
        opening = state_hash(deal, table)
        moves = []
        for _, seat, move in hand["moves"]:
            effects = rulebook.resolve(table, seat, move)
            table = fold(table, effects)
            moves.append([state_hash(effects, table), seat, move])
        hands.append({"dealer": hand["dealer"], "deck": hand["deck"], "state": opening, "moves": moves})
    return {**game, "hands": hands, "sheet": _as_json(sheet(table.setup, table.score))}


def state_hash(effects: Effects, table: Table) -> str:
    """Of the effects as they are stored, and of the table that they lead to."""
    return sha256(strictly((effects, table))).hexdigest()[:12]


def steps(game: dict[str, Any]) -> Iterator[tuple[int, int, str, object]]:
    """Hand, step in the hand (0 is the deal), hash and move."""
    for number, hand in enumerate(game["hands"], 1):
        yield number, 0, hand["state"], None
        for step, (state, _, move) in enumerate(hand["moves"], 1):
            yield number, step, state, move


def written(game: dict[str, Any]) -> str:
    """The file: one step a line, so that a difference can be read."""
    lines = [
        "{",
        f'"ruleset": {json.dumps(game["ruleset"])}, "options": {json.dumps(game["options"])}, "seats": {game["seats"]}, "hands": [',
    ]
    hands = []
    for hand in game["hands"]:
        head = f'{{"dealer": {hand["dealer"]}, "deck": {json.dumps(hand["deck"])}, "state": {json.dumps(hand["state"])}, "moves": [\n'
        hands.append(head + ",\n".join(json.dumps(move) for move in hand["moves"]) + "\n]}")
    return "\n".join([*lines, ",\n".join(hands) + "],", f'"sheet": {json.dumps(game["sheet"])}', "}"]) + "\n"


def _played(golden: Golden) -> dict[str, Any]:
    ruleset = RULESETS[golden.key]
    rulebook = ruleset.bind(dict(golden.set_up.options), golden.set_up.seats)
    playout = play(ruleset, rulebook, f"golden {golden.key} {golden.set_up}", _LONGEST, golden.set_up.rarely)
    return {"ruleset": golden.key, "options": dict(golden.set_up.options), "seats": golden.set_up.seats, "hands": _hands(playout)}


def _hands(playout: Playout) -> list[dict[str, Any]]:
    hands: list[dict[str, Any]] = []
    for step in playout.steps:
        if step.move is None:
            hands.append({"dealer": step.seat, "deck": " ".join(step.deck), "moves": []})
        else:
            hands[-1]["moves"].append(["", step.seat, _as_json(step.move)])
    return hands


def _as_json(value: object) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))
