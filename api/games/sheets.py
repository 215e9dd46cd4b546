"""A score sheet as CSV and as a page to print, from the same ``Sheet`` that is sent as JSON."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from msgspec.structs import asdict

from api.common.names import letter_places, name_seats
from api.common.signed_sheets import StartedDeals, VoidedDeals
from api.common.tables.columns import DialectName, encode_csv
from api.games.paper import CountedResult, Paper
from api.http.pages import render_template
from domain.paper import Signature
from domain.score import REPORTED, HandSheet, Sheet
from domain.texts import Texts, format_text, load_catalog, name_of, words_of


def as_csv(
    sheet: Sheet,
    players: Sequence[str | None] = (),
    signatures: Sequence[Signature] = (),
    begun: Sequence[StartedDeals] = (),
    taken_back: Sequence[VoidedDeals] = (),
    dialect: DialectName | None = None,
    counted: CountedResult | None = None,
) -> bytes:
    """Return the sheet as CSV: one line per row of a hand, one column per party.

    The totals of the game follow at the end, then the result that counts instead of them, if there is one, how often decks were begun and
    deals taken back, and the signatures. ``players`` are
    shown as they are named here, by seat.
    """
    lines = (
        _lines(sheet, players),
        _list_counted_result(sheet, counted),
        _list_started_deals(sheet, begun),
        _list_voided_deals(sheet, taken_back),
        _list_signatures(sheet, signatures),
    )
    heading = ("hand", "dealer", "end", "row", *(f"party_{number}" for number in range(len(sheet.parties))))
    return b"".join(encode_csv(heading, lines, dialect))


def _lines(sheet: Sheet, players: Sequence[str | None]) -> Iterator[Sequence[object]]:
    if any(players):
        yield ("", "", "", "players", *(", ".join(filter(None, (players[seat] for seat in party))) for party in sheet.parties))
    yield ("", "", "", "start_totals", *sheet.start_totals)
    for hand in sheet.hands:
        place = (hand.hand, hand.dealer, _end(hand))
        for row in _rows(sheet, hand):
            yield (*place, row, *hand.rows[row])
        yield (*place, "points", *hand.points)
        yield (*place, "totals", *hand.totals)
    yield from _rulings(sheet)
    yield ("", "", "", "totals", *sheet.totals)
    if sheet.places is not None:
        yield ("", "", "", "places", *sheet.places)


def _end(hand: HandSheet) -> str:
    """Return how the hand ended.

    For a hand of which only the result is known it begins with ``reported``, which alone stands for an unknown end.
    """
    return f"{REPORTED}: {hand.end}" if hand.reported and hand.end != REPORTED else hand.end


def _rows(sheet: Sheet, hand: HandSheet) -> tuple[str, ...]:
    """Return the known rows of the hand. If there are none, only its points are known."""
    return tuple(row for row in sheet.rows if row in hand.rows)


def _rulings(sheet: Sheet) -> Iterator[Sequence[object]]:
    """Yield what rulings changed: adjustments, and the hands and points that were struck, whose ``end`` begins with ``struck``."""
    for one in sheet.adjustments or ():
        place = ("" if one.hand is None else one.hand, "", "adjusted" if one.ruling is None else f"ruling {one.ruling}")
        yield (*place, "adjustment", *(one.points if party == one.party else 0 for party in range(len(sheet.parties))))
    for hand in sheet.struck or ():
        struck = "struck" if hand.ruling is None else f"struck by ruling {hand.ruling}"
        yield (hand.hand, hand.dealer, f"{struck}, {REPORTED}" if hand.reported else struck, "points", *hand.points)
    for one in sheet.lifted or ():
        place = ("" if one.hand is None else one.hand, "", f"struck by ruling {one.lifted_by}")
        yield (*place, "adjustment", *(one.points if party == one.party else 0 for party in range(len(sheet.parties))))


def _list_counted_result(sheet: Sheet, counted: CountedResult | None) -> Iterator[Sequence[object]]:
    """Yield the result that supersedes the game, with its origin in the column of the end; a forfeit has no points."""
    if counted is not None:
        yield ("", "", counted.how, "counted", *(counted.points or ("" for _ in sheet.parties)))


def _list_started_deals(sheet: Sheet, begun: Sequence[StartedDeals]) -> Iterator[Sequence[object]]:
    """Yield how often the fair deck of a hand was begun, in the column of the end; other decks have no line."""
    for one in begun:
        yield (one.hand, "", f"begun {one.tries}", "fair_deck", *("" for _ in sheet.parties))


def _list_voided_deals(sheet: Sheet, taken_back: Sequence[VoidedDeals]) -> Iterator[Sequence[object]]:
    """Yield how often the deal of a hand was taken back, in the column of the end."""
    for one in taken_back:
        yield (one.hand, "", f"taken back {one.times}", "deal", *("" for _ in sheet.parties))


def _list_signatures(sheet: Sheet, signatures: Sequence[Signature]) -> Iterator[Sequence[object]]:
    """Yield per signature the position of the signed sheet; if the sheet has changed since, also since when, and the totals then."""
    for one in signatures:
        state = "signed" if one.changed_at is None else f"changed at {one.changed_at}"
        yield ("", "", state, "signature", *(one.sheet if party == one.party else "" for party in range(len(sheet.parties))))
        if one.changed_at is not None:
            yield ("", "", state, "signed_totals", *one.totals)


def as_page(paper: Paper) -> bytes:
    return render_template("score_sheet.html.j2", template_values(paper))


def template_values(paper: Paper) -> dict[str, Any]:
    """Return the values of the template of a printed sheet."""
    words = words_of(load_catalog(__package__), paper.language)
    about, sheet, opened, names = paper.about, paper.sheet, paper.opened, _name_seats(paper)
    rows = {row: name_of(about.words if about else {}, "row", row, paper.language) for row in sheet.rows}
    return {
        "language": paper.language,
        "words": words,
        "id": paper.game,
        "position": paper.position,
        "ruleset": about.names[paper.language] if about else opened.setup.ruleset,
        "facts": list(_list_details(paper, words)),
        "parties": [[names[seat] for seat in party] for party in sheet.parties],
        "signatures": list(_signatures(paper, words)),
        "signed": [_signing(one, paper, words) for one in paper.signatures],
        "sheet": sheet,
        "checkpoint": paper.checkpoint,
        "rows": rows,
        "known_rows": partial(_rows, sheet),
        "adjustments": sheet.adjustments or (),
        "struck": sheet.struck or (),
        "lifted": sheet.lifted or (),
        "counted": paper.counted,
        "superseded": paper.counted and words[f"superseded_{paper.counted.how}"],
        "state": words["superseded" if paper.counted else "finished" if sheet.finished else "unfinished"],
    }


def _list_details(paper: Paper, words: Texts) -> Iterator[tuple[str, str]]:
    """Yield place and time of the game, and remarks on its deals."""
    year, month, day = paper.day.isoformat().split("-")
    told = {
        "tournament": paper.tournament,
        "date": words["day"].format(year=year, month=month, day=day),
        "round": paper.opened.round,
        "table": paper.opened.table,
    }
    yield from ((words[name], str(value)) for name, value in told.items() if value)
    if paper.taken_back:
        yield words["remark"], "; ".join(format_text(words["taken_back"], asdict(one), paper.language) for one in paper.taken_back)
    if paper.begun:
        yield words["fair_decks"], "; ".join(_deck_attempts(one, paper, words) for one in paper.begun)


def _deck_attempts(one: StartedDeals, paper: Paper, words: Texts) -> str:
    """Return how often a deck was begun, and the seats that did not open when a try was given up."""
    told = words["begun"].format(hand=one.hand, tries=one.tries)
    names, missing = _name_seats(paper), {seat for seats in one.missing for seat in seats}
    late = ", ".join(names[seat] for seat in sorted(missing))
    return f"{told} ({words['not_opened'].format(who=late)})" if late else told


def _signatures(paper: Paper, words: Texts) -> Iterator[str]:
    """Yield the lines for signatures: partners one after the other, as on the card of their table, and the arbiter."""
    names, signs = _name_seats(paper), letter_places(len(paper.players), paper.language)
    for seat in (seat for party in paper.sheet.parties for seat in party):
        yield f"{signs[seat]} {names[seat]}" if paper.players[seat] and not signs[seat].isdigit() else names[seat]
    yield words["arbiter"]


def _signing(one: Signature, paper: Paper, words: Texts) -> str:
    """Return which sheet a party signed, and how it has changed since."""
    party = paper.sheet.parties[one.party] if one.party < len(paper.sheet.parties) else ()
    names = _name_seats(paper)
    told = [words["signed"].format(who=", ".join(names[seat] for seat in party), position=one.sheet)]
    if one.changed_at is not None:
        before, after = (" : ".join(map(str, totals)) for totals in (one.totals, paper.sheet.totals))
        told.append(words["changed"].format(position=one.changed_at, before=before, after=after))
    return " ".join(told)


def _name_seats(paper: Paper) -> list[str]:
    return name_seats(paper.players, paper.language)
