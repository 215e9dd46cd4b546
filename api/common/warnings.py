"""Views of remarks: warnings beside an answer about what is allowed but may be a mistake."""

from collections.abc import Sequence
from typing import Annotated, TypeAlias

from msgspec import UNSET, Meta, UnsetType

from api.http.decoding import ResponseModel
from api.http.request import Request, language_of
from domain import texts
from domain.tournament.warnings import Remark


class RemarkView(ResponseModel, frozen=True, kw_only=True):
    """A remark on something that is allowed, but may be a mistake."""

    code: Annotated[str, Meta(examples=["met_before"])]
    sentence: str
    entrants: Annotated[tuple[int, ...], Meta(description="the entrants that it names")] | UnsetType = UNSET


Remarks: TypeAlias = list[RemarkView] | UnsetType
"""A field of answers that is missing where there is nothing to remark."""


def remark_views(request: Request, remarks: Sequence[Remark]) -> list[RemarkView]:
    spoken = language_of(request)
    return [
        RemarkView(
            code=one.code,
            sentence=texts.sentence(f"remark.{one.code}", one.detail, spoken, (texts.COMMON,)),
            entrants=one.entrants or UNSET,
        )
        for one in remarks
    ]
