"""Who waits for what in a round of a tournament, in words."""

from collections.abc import Iterable

import msgspec

from api.http.answers import WaitingTold
from domain import texts
from domain.tournament.tally import Waiting


def waiting_told(waiting: Iterable[Waiting], language: str) -> list[WaitingTold]:
    return [_told(one, language) for one in waiting]


def _told(one: Waiting, language: str) -> WaitingTold:
    sentence = texts.sentence(f"waiting.{one.code}", {**one.detail, "table": one.table}, language, (texts.COMMON,))
    told: dict[str, object] = {"round": one.round, "table": one.table, "code": one.code, "sentence": sentence}
    return msgspec.convert({**one.detail, **told}, WaitingTold)
