"""A table has its address below its tournament's, beside the pages that stand there."""

import re

from api.app import ROUTES
from domain.tournament.rounds import NOT_FOR_TABLES


def test_no_table_takes_the_name_of_a_page_below_its_tournament():
    below = {found[1] for route in ROUTES for path in route.paths if (found := re.fullmatch(r"/t/\{tournament:str\}/(\w+)", path))}
    assert below == set(NOT_FOR_TABLES)
