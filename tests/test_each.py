"""What a table of rows does: every row is tried, and what fails is told with its rows."""

from pathlib import Path

import pytest

from tests.each import each


def test_every_row_is_tried_and_those_that_fail_are_named():
    tried = []

    @each(("one", "other"), [(1, 1), (2, 3), (3, 3), (4, 5)])
    def compare(one: int, other: int) -> None:
        tried.append(one)
        assert one == other

    with pytest.raises(BaseExceptionGroup) as failed:
        compare()
    assert tried == [1, 2, 3, 4]
    assert [one.__notes__ for one in failed.value.exceptions] == [["of the row 2, 3"], ["of the row 4, 5"]]


def test_a_single_row_fails_as_itself_also_where_nothing_was_raised():
    @each("value", ["one", "2", "three"], ids=["first", "second", "third"])
    def is_no_number(value: str) -> None:
        with pytest.raises(ValueError, match="invalid literal"):
            int(value)

    with pytest.raises(pytest.fail.Exception, match="DID NOT RAISE") as failed:
        is_no_number()
    assert failed.value.__notes__ == ["of the row second"]


@each("row", [1, 2], ids=str)
@pytest.mark.parametrize("other", [2])
@each(("low", "high"), [(1, 2), (3, 4)])
def test_tables_stand_above_each_other_and_beside_fixtures(tmp_path: Path, row: int, low: int, high: int, other: int):
    assert (row in (1, 2), high - low, other, tmp_path.is_dir()) == (True, 1, 2, True)


def test_a_table_without_rows_and_a_name_that_nobody_asks_for_are_errors():
    with pytest.raises(AssertionError, match="without rows"):
        each("one", [])
    with pytest.raises(AssertionError, match="no argument"):
        each("one", [1])(lambda other: None)
