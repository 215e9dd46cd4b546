"""The description of the API: anybody may ask for it, so it is written and compressed once."""

import gzip
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from api.http.description.openapi import operations
from api.http.request import part_of
from api.service.docs import PEOPLE, PageCache
from replay.proof import single_file
from tests.api.conftest import Service, running, settings_of
from tests.api.service.operations import FIRST, LATER, NOT_MERGED

BOTH = pytest.mark.parametrize("path", ["/docs", "/openapi.json"])


def asked(service: Service, path: str, **headers: str) -> Any:
    """The answer as it came over the line: nothing is unpacked."""
    with service.client.stream("GET", path, headers={"Accept-Encoding": "identity", **headers}) as came:
        answer: Any = came
        answer.raw = b"".join(answer.iter_raw())
    return answer


@BOTH
@pytest.mark.parametrize("accepted", ["gzip", "br, gzip;q=0.5", "*"])
def test_who_takes_it_compressed_gets_the_same_bytes_compressed(service: Service, path: str, accepted: str):
    plain, compressed = asked(service, path), asked(service, path, **{"Accept-Encoding": accepted})
    assert ("content-encoding" in plain.headers, compressed.headers["content-encoding"]) == (False, "gzip")
    assert gzip.decompress(compressed.raw) == plain.raw
    assert len(compressed.raw) < len(plain.raw) / 3
    assert plain.headers["vary"] == compressed.headers["vary"] == "accept-encoding"


@BOTH
@pytest.mark.parametrize("accepted", ["identity", "gzip;q=0", "br", "*;q=0"])
def test_who_does_not_take_it_compressed_gets_it_as_it_is(service: Service, path: str, accepted: str):
    assert "content-encoding" not in asked(service, path, **{"Accept-Encoding": accepted}).headers


@BOTH
def test_each_form_has_a_strong_etag_of_its_own_and_who_holds_it_gets_no_body(service: Service, path: str):
    plain, compressed = asked(service, path), asked(service, path, **{"Accept-Encoding": "gzip"})
    etags = [plain.headers["etag"], compressed.headers["etag"]]
    assert len(set(etags)) == 2
    assert all(re.fullmatch(r'"[0-9a-f]+(\.gzip)?"', etag) for etag in etags)
    for accepted, held in (("identity", etags[0]), ("gzip", etags[1])):
        known = asked(service, path, **{"Accept-Encoding": accepted, "If-None-Match": held})
        assert (known.status_code, known.raw, known.headers["etag"]) == (304, b"", held)
    assert asked(service, path, **{"If-None-Match": etags[1]}).status_code == 200


def test_it_is_written_once_however_many_ask_at_the_same_time(tmp_path: Path):
    with running(settings_of(tmp_path)) as service, ThreadPoolExecutor() as threads:
        pages = part_of(service.client.app, PageCache)
        name = f"{PEOPLE} start"
        assert name not in pages
        answers = list(threads.map(partial(asked, service), ["/docs"] * 4))
        written = pages[name]
        answers.append(asked(service, "/docs"))
        assert pages[name] is written
    assert {(answer.status_code, answer.raw) for answer in answers} == {(200, written.result().plain)}


def test_the_verifier_is_handed_out_as_it_lies_here(service: Service):
    told = asked(service, "/docs/verifier")
    assert (told.status_code, told.headers["content-type"]) == (200, "text/x-python; charset=utf-8")
    assert told.raw == Path(single_file.__file__).read_bytes()
    assert asked(service, "/docs/verifier", **{"If-None-Match": told.headers["etag"]}).status_code == 304


VERBS = re.compile(
    r"(Abandon|Add|Adjourn|Announce|Annul|Appeal|Audit|Begin|Change|Check|Choose|Close|Compare|Confirm|Correct|Deal|Disable|Disclose|"
    r"Enable|End|Enter|Erase|Export|Follow|Forfeit|Give|Import|Issue|Join|List|Merge|Open|Pair|Play|Prepare|Publish|Raise|Read|Record|"
    r"Rectify|Register|Remove|Reopen|Resume|Return|Revoke|Rewind|Rotate|Rule|Seat|Send|Show|Sign|Stop|Stream|Substitute|Suspend|Transfer|Try|"
    r"Undo|Withdraw) "
)
RIDDLE = re.compile(r"(?:^|[.] )(?:who|whoever|what|whatever|where|nobody|somebody)\b", re.IGNORECASE)


def descriptions_in(value: Any) -> Iterator[str]:
    """Yield all descriptions of a part of the OpenAPI document, but none of its examples."""
    match value:
        case {"description": str(text), **rest}:
            yield text
            yield from descriptions_in(rest)
        case dict():
            yield from (text for key, one in value.items() if key not in ("examples", "example") for text in descriptions_in(one))
        case list():
            yield from (text for one in value for text in descriptions_in(one))


def test_every_summary_begins_with_a_verb(service: Service):
    found = [operation for _, _, operation in operations(service.client.app)]
    assert {one.id: one.summary for one in found if not VERBS.match(one.summary)} == {}


def test_no_description_begins_a_sentence_with_a_question_word(service: Service):
    assert [text for text in descriptions_in(service.contract.document) if RIDDLE.search(text)] == []


def test_every_operation_that_was_added_has_a_reason(service: Service):
    now = {one["operationId"] for methods in service.contract.document["paths"].values() for one in methods.values()}
    assert now - set(FIRST.split()) == LATER.keys(), "say in tests/api/service/operations.py why it is there"
    assert NOT_MERGED.keys() <= now
