"""Sheets for spreadsheets."""

import pytest

from api.sheets import as_csv
from domain.score import HandSheet, Sheet


def sheet(row: str, end: str) -> Sheet:
    hand = HandSheet(hand=1, dealer=0, end=end, rows={row: (-2, 3)}, points=(-2, 3), totals=(-2, 3), facts={})
    return Sheet(
        parties=((0,), (1,)),
        rows=(row,),
        start_totals=(0, 0),
        hands=(hand,),
        totals=(-2, 3),
        finished=True,
        places=(2, 1),
        winners=(1,),
        facts={},
    )


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx"])
def test_text_that_a_spreadsheet_would_take_for_a_formula_is_shown_as_text(text: str):
    assert f"'{text}" in as_csv(sheet(text, "out")).decode()
    assert f"'{text}" in as_csv(sheet("row", text)).decode()


def test_a_negative_number_stays_a_number():
    assert as_csv(sheet("row", "out")).decode().splitlines() == [
        "hand,dealer,end,row,party_0,party_1",
        ",,,start_totals,0,0",
        "1,0,out,row,-2,3",
        "1,0,out,points,-2,3",
        "1,0,out,totals,-2,3",
        ",,,totals,-2,3",
        ",,,places,2,1",
    ]
