"""Answers in gzip: for who takes them, where it is worth it, and never those that come in pieces."""

import gzip
from typing import Any

import pytest

from api.http.sending import SMALLEST
from domain.version import VERSION
from tests.api.conftest import Caller, Service, secret
from tests.api.play import worked

GZIP = {"Accept-Encoding": "gzip"}


@pytest.fixture(scope="module")
def game(service: Service) -> str:
    return worked(service.caller("recorder"), "hand-two-players-classic")


def asked(service: Service, path: str, method: str = "GET", role: str = "recorder", **headers: str) -> Any:
    """As it came over the line: nothing is unpacked."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    with service.client.stream(method, path, headers={"Authorization": f"Bearer {secret(role)}", **named}) as came:
        answer: Any = came
        answer.raw = b"".join(answer.iter_raw())
    return answer


READS = {
    "a history": "/v1/games/{game}/history",
    "a replay": "/v1/games/{game}/replay",
    "a sheet": "/v1/games/{game}/score-sheet",
    "a page": "/v1/games/{game}/score-sheet?format=html",
    "a table for spreadsheets": "/v1/games/{game}/score-sheet?format=csv",
    "a record": "/v1/games/{game}/record",
    "a list": "/v1/games",
    "rulesets": "/v1/rulesets/casino",
    "a schema": "/schemas/record.json",
}
reads = pytest.mark.parametrize("path", READS.values(), ids=READS)


@reads
def test_who_takes_it_packed_gets_the_same_bytes_packed(service: Service, game: str, path: str):
    plain, packed = asked(service, path.format(game=game)), asked(service, path.format(game=game), **{"Accept-Encoding": "br, gzip"})
    worth = len(plain.raw) >= SMALLEST
    assert ("content-encoding" in plain.headers, packed.headers.get("content-encoding")) == (False, "gzip" if worth else None)
    assert (gzip.decompress(packed.raw) if worth else packed.raw) == plain.raw
    assert int(packed.headers["content-length"]) == len(packed.raw) <= len(plain.raw)
    for answer in (plain, packed):
        assert ("accept-encoding" in answer.headers["vary"] if "vary" in answer.headers else not worth) or not worth
        assert len(answer.headers.get_list("vary")) <= 1


@reads
def test_a_packed_answer_has_an_etag_of_its_own_and_is_known_by_it(service: Service, game: str, path: str):
    address = path.format(game=game)
    plain, packed = asked(service, address), asked(service, address, **GZIP)
    if "etag" not in plain.headers or "content-encoding" not in packed.headers:
        return
    assert packed.headers["etag"] == plain.headers["etag"].removesuffix('"') + '.gzip"'
    for etag in (plain.headers["etag"], packed.headers["etag"], f"W/{packed.headers['etag']}"):
        known = asked(service, address, If_None_Match=etag, **GZIP)
        assert (known.status_code, known.raw, known.headers["etag"]) == (304, b"", etag.removeprefix("W/"))
    assert asked(service, address, If_None_Match=packed.headers["etag"]).status_code == 200


def test_a_head_says_of_the_packed_answer_what_a_get_says(service: Service, game: str):
    path = READS["a history"].format(game=game)
    get, head = asked(service, path, **GZIP), asked(service, path, "HEAD", **GZIP)
    varies = ("request-id",)
    assert head.raw == b""
    assert {name: value for name, value in head.headers.items() if name not in varies} == {
        name: value for name, value in get.headers.items() if name not in varies
    }


@pytest.mark.parametrize("accepted", ["", "identity", "br", "gzip;q=0", "*;q=0", "gzip;q=x", "xgzip"])
def test_who_does_not_take_it_gets_it_as_it_is(service: Service, game: str, accepted: str):
    answer = asked(service, READS["a history"].format(game=game), **{"Accept-Encoding": accepted})
    assert "content-encoding" not in answer.headers
    assert answer.raw.startswith(b"{")


def test_what_is_small_and_what_comes_in_pieces_is_not_packed(service: Service, game: str):
    small = asked(service, "/health/live", **GZIP)
    assert ("content-encoding" in small.headers, small.raw) == (False, b'{"status":"live","version":"%b"}' % VERSION.encode())
    for path, accept in ((READS["a history"], "application/x-ndjson"), ("/v1/scores", "text/csv"), ("/v1/feed", "application/x-ndjson")):
        answer = asked(service, path.format(game=game), Accept=accept, **GZIP)
        assert (answer.status_code, "content-encoding" in answer.headers, len(answer.raw) > SMALLEST) == (200, False, True)


def test_a_pdf_is_packed_in_itself(service: Service, game: str):
    answer = asked(service, f"/v1/games/{game}/score-sheet?format=pdf", **GZIP)
    assert (answer.status_code, "content-encoding" in answer.headers, answer.raw[:5]) == (200, False, b"%PDF-")


def test_a_position_that_came_packed_may_be_sent_back(recorder: Caller):
    game = recorder.open()
    recorder.deal(game)
    etag = recorder.get(f"/v1/games/{game}/history", headers=GZIP).headers["etag"]
    assert ".gzip" in etag
    assert recorder.post(f"/v1/games/{game}/notes", {"text": "late"}, headers={"If-Match": etag}).status_code == 201


def test_the_position_of_what_was_written_stays_a_bare_one(recorder: Caller):
    """However long the answer is."""
    game = recorder.open()
    answer = recorder.post(f"/v1/games/{game}/hands", {"dealer": 1}, headers=GZIP)
    assert (answer.status_code, answer.headers["etag"]) == (201, '"2"')
    assert answer.headers["content-encoding"] == "gzip"
