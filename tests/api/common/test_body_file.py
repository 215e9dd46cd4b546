"""A long body is sent from its file, and to the reader it is the same as one that is sent whole."""

import gzip
from typing import Any

import pytest

from api.common import body_file
from tests.api.conftest import Service
from tests.api.http.test_packing import GZIP, asked
from tests.api.play import worked


@pytest.mark.parametrize("headers", [{}, GZIP], ids=["plain", "packed"])
def test_a_long_body_and_its_head_are_those_of_a_short_one(service: Service, monkeypatch: pytest.MonkeyPatch, headers: dict[str, str]):
    path = f"/v1/games/{worked(service.caller('recorder'), 'hand-two-players-classic')}/record?full=true"

    def ask() -> list[Any]:
        answers = [asked(service, path, method, "director", **headers) for method in ("GET", "HEAD")]
        answers.append(asked(service, path, role="director", If_None_Match=answers[0].headers["etag"], **headers))
        return [(answer.status_code, _unpacked(answer), _same(answer)) for answer in answers]

    whole = ask()
    monkeypatch.setattr(body_file, "LONG", 0)
    assert ask() == whole
    assert [status for status, *_ in whole] == [200, 200, 304]


def _unpacked(answer: Any) -> bytes:
    return gzip.decompress(answer.raw) if answer.raw and "content-encoding" in answer.headers else bytes(answer.raw)


def _same(answer: Any) -> dict[str, str]:
    return {name: value for name, value in answer.headers.items() if name not in ("request-id", "date")}
