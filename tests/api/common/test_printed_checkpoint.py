"""A checkpoint on paper: as a code to scan, and as words and digits to compare."""

from datetime import date
from uuid import UUID

import pytest
from msgspec.structs import replace

from api.common.checkpoints.naming import print_checkpoint
from api.common.pages.shell import draw_code
from api.games.paper import Paper
from api.games.printed_sheet import print_sheet, render_sheet
from api.games.sheets import as_page
from api.tournaments.responses import SeatedPlayer, SeatingPlan, SeatingTable
from api.tournaments.seating import as_page as as_seating
from domain.score import Sheet
from replay.proof.checkpoints import COSIGNATURE, Checkpoint, Signer, digits_of, sign, words_of
from tests.projections.histories import opened
from tests.replay.proof.made import MOMENT
from tests.replay.proof.places import LOG, WITNESS

ROOT = bytes(range(32))
TEXT = Checkpoint(LOG.key.name, 1234, ROOT).text
NOTE = sign(TEXT, LOG) + WITNESS.line(TEXT, MOMENT)


def paper(note: str | None, language: str = "en") -> Paper:
    seated = opened(("Anna", "Ben"))
    sheet = Sheet(
        parties=((0,), (1,)), rows=(), start_totals=(0, 0), hands=(), totals=(0, 0), finished=False, places=None, winners=None, facts={}
    )
    made = Paper(UUID(int=1), 7, seated, seated.players, sheet, None, None, date(2026, 11, 21), language)
    return replace(made, checkpoint=note and print_checkpoint(note, language))


def test_it_says_of_which_log_it_is_and_what_to_do_with_it_in_both_languages():
    english, german = (print_checkpoint(NOTE, language) for language in ("en", "de"))
    assert english.lead.startswith("When this was printed, the log kiebitz.example/log/1 had 1234 entries.")
    assert (
        german.advice
        == "Bitte dieses Blatt aufheben. Zeigt jemand für so viele Einträge eine andere Wurzel, wurde das Protokoll umgeschrieben."
    )
    assert [(one.words, one.digits, one.qr) for one in (english, german)] == [
        (words_of(ROOT), digits_of(ROOT), draw_code(NOTE, fitting=True))
    ] * 2


def test_where_the_witnesses_are_many_the_code_has_the_signature_of_the_log():
    many = NOTE + "".join(Signer(f"w{number}.example", bytes([number] * 32), COSIGNATURE).line(TEXT, MOMENT) for number in range(9))
    assert print_checkpoint(many, "en").qr == draw_code(sign(TEXT, LOG), fitting=True)


def test_it_stands_on_the_sheet_where_it_is_wanted():
    page = as_page(paper(NOTE, "de")).decode()
    assert words_of(ROOT) in page
    assert 'viewBox="0 0' in page
    assert "checkpoint" not in as_page(paper(None)).decode().partition("</style>")[2]


def test_and_in_the_pdf_the_same_every_time():
    plain, sealed = render_sheet(print_sheet(paper(None))), render_sheet(print_sheet(paper(NOTE)))
    assert len(sealed) > len(plain)
    assert render_sheet(print_sheet(paper(NOTE))) == sealed
    other = print_checkpoint(sign(Checkpoint(LOG.key.name, 1235, ROOT).text, LOG), "en")
    assert render_sheet(print_sheet(replace(paper(None), checkpoint=other))) != sealed


@pytest.mark.parametrize(("seats", "times"), [(2, 3), (6, 3), (7, 1)])
def test_each_card_for_a_table_has_it_where_there_is_room_else_the_list(seats: int, times: int):
    told = [SeatedPlayer(entrant=one, player=f"p{one}", shown=f"p{one}", table="1", seat=one, partners=[]) for one in range(seats)]
    plan = SeatingPlan(tournament="t", round=1, position=1, tables=[SeatingTable(table="1", seats=told)] * 3, players=told)
    page = as_seating(plan, [[one] for one in range(seats)], "Open", "en", print_checkpoint(NOTE, "en")).decode()
    assert page.count(words_of(ROOT)) == times
