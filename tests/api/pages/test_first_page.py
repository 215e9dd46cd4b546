"""The first page: what is played here leads on."""

from tests.api.conftest import Caller
from tests.api.tournament import announced


def test_a_tournament_is_named_by_its_title_and_leads_to_its_page(director: Caller):
    path = announced(director, title="Club night").removeprefix("/v1/tournaments/")
    text = director.get("/", headers={"Accept": "text/html"}).text
    assert f'<a href="/t/{path}">Club night</a>' in text
