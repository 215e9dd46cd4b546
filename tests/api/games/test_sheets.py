"""Sheets for spreadsheets."""

import sys
from datetime import date
from typing import Any
from uuid import UUID

import pytest
from msgspec.structs import replace

from api.games.paper import Paper
from api.games.printed_sheet import print_sheet, render_sheet
from api.games.sheets import as_csv
from domain.score import Adjustment, HandSheet, Sheet, VoidedHand
from tests.api.conftest import Caller
from tests.projections.histories import opened


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


def test_the_sheet_for_german_spreadsheets_is_the_same_with_semicolons():
    plain, german = (as_csv(sheet("row", "out"), dialect=dialect) for dialect in (None, "excel-de"))
    assert german.decode("utf-8-sig") == plain.decode().replace(",", ";")


# PDF

EVIL = '#panic("x") *bold* $x$ <a> \\ 日本 "'


def pdf(text: str = "out", language: str = "en") -> bytes:
    adjusted = Adjustment(9, 1, 0, -3, text, 2)
    struck = VoidedHand(1, 0, text, {}, (-2, 3), (-2, 3), {}, 7, 2)
    whole = replace(sheet(text, text), start_totals=(0, 5), adjustments=(adjusted,), struck=(struck,))
    seated = opened((text, None), tournament=text, round=2, table=text)
    return render_sheet(print_sheet(Paper(UUID(int=1), 7, seated, seated.players, whole, None, text, date(2026, 11, 21), language)))


def test_a_sheet_is_written_as_pdf_in_either_language_the_same_every_time():
    english, german = pdf(), pdf(language="de")
    assert english.startswith(b"%PDF-")
    assert (b"/Lang(en)" in english, b"/Lang(de)" in german, b"/StructTreeRoot" in english) == (True, True, True)
    assert (pdf(), pdf(language="de")) == (english, german)


def test_what_people_wrote_is_no_markup():
    assert pdf(EVIL).startswith(b"%PDF-")


@pytest.mark.parametrize("asked", [{"headers": {"Accept": "application/pdf"}}, {"params": {"format": "pdf"}}])
def test_a_sheet_can_be_fetched_as_pdf(viewer: Caller, recorder: Caller, asked: dict[str, Any]):
    game = recorder.open()
    answer = viewer.get(f"/v1/games/{game}/score-sheet", **asked)
    assert (answer.status_code, answer.headers["content-type"], answer.content[:5]) == (200, "application/pdf", b"%PDF-")
    assert viewer.get(f"/v1/games/{game}/score-sheet?format=pdf", headers={"If-None-Match": answer.headers["etag"]}).status_code == 304


def test_without_the_extra_it_is_said_what_to_install(viewer: Caller, recorder: Caller, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "typst", None)
    answer = viewer.get(f"/v1/games/{recorder.open()}/score-sheet?format=pdf")
    assert (answer.status_code, answer.json()["code"]) == (501, "not_installed")
    assert "pip install 'kiebitz[pdf]'" in answer.json()["detail"]
