"""Comparison of a score sheet on paper with the recorded game. Nothing is recorded."""

from collections.abc import Sequence
from typing import Annotated
from uuid import UUID

from litestar.params import FromPath
from msgspec import UNSET, Meta, UnsetType
from msgspec.structs import asdict

from api.common.reading import game_at
from api.common.rulebooks import about_of
from api.games.requests import CompareSheet
from api.http.decoding import ResponseModel, copy_fields, read_body
from api.http.operations import Content, writes
from api.http.request import Request, language_of, services_of
from api.http.response import Response, no_store_response
from domain.game import Game
from domain.paper import Difference, Differing, Numbers, PaperAdjustment, PaperHand, PaperSheet, check_paper, differences
from domain.score import Sheet, sheet
from domain.texts import name_of, render, say
from replay.selection import positions_at_table


class DifferenceView(ResponseModel, frozen=True, kw_only=True):
    """A difference between paper and record, numbers by party: ``parties`` are those that differ. Null stands for a missing value.

    ``replay`` leads to what was recorded of it, if anything was.
    """

    what: Differing
    hand: int | None
    row: str | UnsetType = UNSET
    parties: tuple[int, ...]
    paper: Numbers | None
    recorded: Numbers | None
    sentence: str
    replay: Annotated[str, Meta(examples=["/v1/games/0b54f1f6-6f0a-4a57-9d3e-6f1d0c8e4b21/replay?first=34&last=61"])] | UnsetType = UNSET


class SheetComparison(ResponseModel, frozen=True, kw_only=True):
    """The result: ``agrees`` if there is no difference. ``replay`` is that of the first difference that has one."""

    game: UUID
    position: int
    agrees: bool
    differences: list[DifferenceView]
    replay: str | None


@writes(
    "/v1/games/{game:uuid}/reconciliation",
    "reconcile",
    "Compare a paper score sheet with the recorded one",
    tag="Reading",
    description=(
        "The comparison goes hand by hand and row by row, in the order of the sheet, with the replay of what was recorded "
        "there. Rows and totals that are missing on the paper are not compared; a missing hand or adjustment is reported. "
        "Nothing is recorded."
    ),
    body=CompareSheet,
    responses={200: Content("the differences", SheetComparison)},
    keyed=False,
    refuses=(413, 415, 422),
)
async def compare_sheet(request: Request, game: FromPath[UUID]) -> Response:
    body = await read_body(request, CompareSheet)
    now = await services_of(request).journal.current(game)
    then = await game_at(request, now, body.position or now.position)
    recorded, paper = sheet(then.setup, then.table.score), _paper(body)
    check_paper(recorded, paper)
    found = [_view(request, then, recorded, one) for one in differences(recorded, paper)]
    replay = next((one.replay for one in found if one.replay), None)
    answer = SheetComparison(game=game, position=then.position, agrees=not found, differences=found, replay=replay or None)
    return no_store_response(answer, vary="accept-language, authorization")


def _paper(body: CompareSheet) -> PaperSheet:
    return PaperSheet(
        hands=tuple(PaperHand(**asdict(hand)) for hand in body.hands),
        start_totals=body.start_totals,
        totals=body.totals,
        adjustments=tuple(PaperAdjustment(**asdict(one)) for one in body.adjustments),
    )


def _view(request: Request, game: Game, recorded: Sheet, one: Difference) -> DifferenceView:
    positions = _positions(game, recorded, one)
    replay = "/v1/games/{}/replay?first={}&last={}".format(game.id, *positions) if positions else UNSET
    return copy_fields(one, DifferenceView, row=one.row or UNSET, sentence=_sentence(request, game, one), replay=replay)


def _positions(game: Game, recorded: Sheet, one: Difference) -> tuple[int, int] | None:
    """Return the first and last position at which the recorded side came about."""
    if one.what == "adjustments":
        given = [adjustment.position for adjustment in recorded.adjustments or () if adjustment.hand == one.hand]
        return (given[0], given[-1]) if given else None
    if one.hand is None or one.recorded is None:
        return None
    struck = [hand.position for hand in recorded.struck or () if hand.hand == one.hand and one.what == "struck_in_record"]
    return positions_at_table(game, one.hand, struck[-1] if struck else None)


def _sentence(request: Request, game: Game, one: Difference) -> str:
    language = language_of(request)
    ruleset = services_of(request).rulesets.get(game.setup.ruleset)
    row = name_of(about_of(ruleset).words if ruleset else {}, "row", one.row or "", language)
    place = "hand" if one.hand is not None else "game"
    detail = {"hand": one.hand, "row": row, "paper": _numbers(one.paper or ()), "recorded": _numbers(one.recorded or ())}
    return render(say(f"differs.{one.what}.{place}", **detail), language)


def _numbers(numbers: Sequence[int]) -> str:
    return " : ".join(map(str, numbers))
