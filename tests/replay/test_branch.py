"""Lines of moves tried out on a table."""

from domain.errors import Refused
from domain.table import Table, fold
from replay.past import branch
from tests.domain.toy import TOY


def test_a_line_goes_on_from_what_the_legal_moves_leave():
    toy = TOY.bind({}, 2)
    table = fold(Table(toy.setup), toy.deal(Table(toy.setup), 1, ("1", "2", "2", "3")))
    first, second = {"type": "lay", "card": "1"}, {"type": "lay", "card": "3"}
    found = branch(toy, table, [(0, second), (0, first), (1, second), (1, second)])
    wrong, right, last, late = found.tried
    assert isinstance(wrong.refused, Refused)
    assert isinstance(late.refused, Refused)
    assert (wrong.refused.code, right.refused, last.refused, late.refused.code) == ("card_not_in_hand", None, None, "game_over")
    assert found.table == fold(table, (*right.effects, *last.effects))
    assert (wrong.effects, right.effects) == ((), toy.resolve(table, 0, first))
