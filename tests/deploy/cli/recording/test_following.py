"""What was taken back is offered again, one by one; all of it is read from what was recorded, so it is there after any end."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from deploy.cli.recording.door import Act, Door, door_to
from deploy.cli.recording.following import Following, act_of
from deploy.config.settings import Settings


class Recorder:
    """Records moves by seat and card, and follows."""

    def __init__(self, door: Door) -> None:
        self._door = door
        self.game = Following(door.open({"ruleset": "casino", "seats": 2}), "en")
        self.follow()
        self.does(Act("hands", {"dealer": 1, "deck": "unknown", "known": {"board": ["9C", "7C", "8H", "2D"]}}))

    def follow(self) -> None:
        self.game.follow(self._door.history(self.game.id, self.game.position))

    def does(self, act: Act | None) -> None:
        assert act
        problem = self._door.record(self.game.id, self.game.position, act)
        assert problem is None, problem
        self.follow()

    def trails(self, seat: int, card: str) -> None:
        self.does(Act("moves", {"seat": seat, "move": {"type": "trail", "card": card}}))

    def takes_back(self, count: int) -> None:
        self.does(self.game.undo(count))

    @property
    def offered(self) -> list[str]:
        """As they will be sent."""
        acts = []
        game = Following(self.game.id, "en")
        game.follow(self._door.history(game.id, 0))
        while act := game.again():
            acts.append(_shown(act))
            game.drop()
        return acts

    @property
    def stands(self) -> list[str]:
        return [_shown(act_of(made)) for _, made in self.game.standing()]


def _shown(act: Act) -> str:
    return str(act.body["move"]["card"] if act.what == "moves" else act.body["known"])


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Recorder]:
    with door_to(Settings(tmp_path), "en", create=True) as door:
        yield Recorder(door)


def test_the_last_entries_are_taken_back_and_offered_in_their_order(table: Recorder):
    table.trails(0, "5D")
    table.trails(1, "KS")
    table.trails(0, "QS")
    table.takes_back(2)
    assert (table.stands, table.offered) == (["5D"], ["KS", "QS"])
    table.takes_back(1)
    assert (table.stands, table.offered) == ([], ["5D", "KS", "QS"])
    assert table.game.undo(1) is None


def test_each_that_is_taken_again_leaves_the_next(table: Recorder):
    table.trails(0, "5D")
    table.trails(1, "KS")
    table.takes_back(2)
    table.does(table.game.again())
    assert (table.stands, table.offered) == (["5D"], ["KS"])
    table.does(table.game.again())
    assert (table.stands, table.offered, table.game.again()) == (["5D", "KS"], [], None)


def test_what_is_put_right_takes_the_place_of_what_was_mistyped(table: Recorder):
    table.trails(0, "5C")
    table.trails(1, "KS")
    table.takes_back(2)
    table.trails(0, "5D")
    assert (table.stands, table.offered) == (["5D"], ["KS"])


def test_what_was_forgotten_comes_before_what_is_offered(table: Recorder):
    table.trails(0, "5D")
    table.takes_back(1)
    table.does(Act("tellings", {"known": {"hand:1": ["KS"]}}))
    assert (table.stands, table.offered) == (["{'hand:1': ('KS',)}"], ["5D"])


def test_what_was_told_is_taken_back_and_offered_like_a_move(table: Recorder):
    table.does(Act("tellings", {"known": {"hand:1": ["KS"]}}))
    table.trails(0, "5D")
    table.takes_back(2)
    assert table.offered == ["{'hand:1': ('KS',)}", "5D"]


def test_taking_back_twice_goes_past_what_was_taken_back_before(table: Recorder):
    for seat, card in ((0, "5D"), (1, "KS"), (0, "QS")):
        table.trails(seat, card)
    table.takes_back(1)
    table.trails(0, "QH")
    table.takes_back(2)
    assert (table.stands, table.offered) == (["5D"], ["KS", "QH"])


def test_what_was_told_beside_a_move_is_told_again_with_it(table: Recorder):
    table.does(Act("moves", {"seat": 0, "move": {"type": "trail", "card": "5D"}, "known": {"hand:1": ["KS"]}}))
    table.takes_back(1)
    again = table.game.again()
    assert again
    assert again.body == {"seat": 0, "move": {"type": "trail", "card": "5D"}, "known": {"hand:1": ("KS",)}}
