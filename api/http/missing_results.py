"""Missing results that keep a round of a tournament open, as codes and sentences."""

from collections.abc import Iterable
from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import UNSET, Meta, UnsetType

from api.http.decoding import ResponseModel
from domain import texts
from domain.tournament.tally import MissingResult


class MissingResultView(ResponseModel, frozen=True, kw_only=True):
    """A missing result of a table: a code, and a sentence."""

    round: int
    table: str
    code: Annotated[str, Meta(examples=["game_missing"])]
    sentence: str
    game: Annotated[UUID, Meta(description="the game that it is about")] | UnsetType = UNSET
    sides: Annotated[tuple[int, ...], Meta(description="entrants who have not confirmed yet")] | UnsetType = UNSET


def missing_result_views(missing: Iterable[MissingResult], language: str) -> list[MissingResultView]:
    return [_view(one, language) for one in missing]


def _view(one: MissingResult, language: str) -> MissingResultView:
    sentence = texts.sentence(f"waiting.{one.code}", {**one.detail, "table": one.table}, language, (texts.COMMON,))
    told: dict[str, object] = {"round": one.round, "table": one.table, "code": one.code, "sentence": sentence}
    return msgspec.convert({**one.detail, **told}, MissingResultView)
