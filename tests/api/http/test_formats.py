"""The closed lists of formats: one that is forgotten in the table of an operation is found here."""

import re
from typing import get_type_hints

import pytest

from api.app import ROUTES
from api.http.operations import Operation, by_media_type
from api.scores.formats import FORMATS, LABELS

OPERATIONS: list[Operation] = [route.opt["operation"] for route in ROUTES if "operation" in route.opt]
CHOOSING = [one for one in OPERATIONS if "format" in one.query.__struct_fields__]


@pytest.mark.parametrize("operation", CHOOSING, ids=lambda one: one.id)
def test_an_operation_answers_in_every_format_that_its_query_takes(operation: Operation):
    names = re.findall(r"'(\w+)'", str(get_type_hints(operation.query)["format"]))
    assert len(names) > 1
    assert len(by_media_type(operation.responses[200].types)) == len(names)


def test_every_format_of_score_lines_has_its_name_for_people():
    assert [label.lower() for label in LABELS] == [name for name in FORMATS if name != "json"]
