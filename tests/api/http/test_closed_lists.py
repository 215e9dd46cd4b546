"""The closed lists of the API: a format, a route or a problem that is forgotten in one of them is found here."""

import re
from typing import get_type_hints

import pytest

from api.app import ROUTES
from api.common.tables.files import LABELS
from api.http import errors as of_requests
from api.http.operations import Operation, by_media_type
from api.http.problems import PROBLEMS
from api.scores.formats import FORMATS
from domain import errors

OPERATIONS: list[Operation] = [route.opt["operation"] for route in ROUTES if "operation" in route.opt]
CHOOSING = [one for one in OPERATIONS if "format" in one.query.__struct_fields__]


@pytest.mark.parametrize("operation", CHOOSING, ids=lambda one: one.id)
def test_an_operation_answers_in_every_format_that_its_query_takes(operation: Operation):
    names = re.findall(r"'(\w+)'", str(get_type_hints(operation.query)["format"]))
    assert len(names) > 1
    assert len(by_media_type(operation.responses[200].types)) == len(names)


def test_every_format_of_score_lines_has_its_name_for_people():
    assert [label.lower() for label in LABELS] == [name for name in FORMATS if name != "json"]


@pytest.mark.parametrize("module", [errors, of_requests])
def test_every_error_is_a_problem_of_its_own(module: object):
    kinds = {kind for kind in vars(module).values() if isinstance(kind, type) and issubclass(kind, Exception)}
    assert {kind.__name__ for kind in kinds - {errors.Worded} - set(PROBLEMS)} == set()
