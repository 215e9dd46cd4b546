"""What the committee reads about an appeal: the words of the appellant, the first ruling and its points; and the forms to print."""

import pytest

from tests.api.conftest import Caller, Service
from tests.api.markup import words
from tests.api.rulings.test_rulings import arbiter, committee, dealt, sent

__all__ = ["arbiter", "committee"]


@pytest.fixture
def appealed(service: Service, recorder: Caller, arbiter: Caller) -> str:
    game = dealt(recorder)
    sent(recorder, game, "disputes", {"seat": 1, "claim": "Seven took eight."})
    order = {"decision": "penalty", "reason": "late", "rules": ["CNO-7"], "adjustments": [{"party": 0, "points": -3}]}
    sent(arbiter, game, "rulings", {"dispute": 1, **order})
    sent(recorder, game, "disputes/1/appeals", {"seat": 0, "reason": "The clock was wrong."})
    return game


def test_the_committee_reads_who_appeals_with_which_words_and_the_points_of_the_first_ruling(
    committee: Caller, viewer: Caller, appealed: str
):
    found = committee.get(f"/v1/games/{appealed}/disputes").json()
    assert found["disputes"][0]["appeal"] == {"seat": 0, "reason": "The clock was wrong."}
    assert found["rulings"][0]["points"] == [{"party": 0, "points": -3}]
    public = viewer.get(f"/v1/games/{appealed}/disputes").json()
    assert ("appeal" in public["disputes"][0], public["rulings"][0]["points"]) == (False, [{"party": 0, "points": -3}])
    sent(committee, appealed, "rulings", {"dispute": 1, "decision": "overturn", "reason": "it was"})
    after = committee.get(f"/v1/games/{appealed}/disputes").json()["rulings"]
    assert [one["points"] for one in after] == [[{"party": 0, "points": -3}], []]


def test_the_forms_to_print_hold_what_is_recorded_in_both_languages(committee: Caller, viewer: Caller, appealed: str):
    def form(query: str, language: str = "en") -> str:
        return words(committee.get(f"/g/{appealed}/form{query}", headers={"Accept-Language": language}).text)

    ruling = form("?kind=ruling&dispute=1")
    assert "What the players say Seven took eight. Decision ☐ It stands ☐ Taken back ☐ Put right ☐ Points adjusted ☒ Penalty" in ruling
    assert "−3 Rules CNO-7 Reason late Appeal possible until Date and time Arbiter" in ruling
    appeal = form("?kind=appeal&dispute=1", "de")
    assert "Die Entscheidung des Schiedsrichters Strafe CNO-7: late" in appeal
    assert "In eigenen Worten The clock was wrong. Entscheidung des Ausschusses ☐" in appeal
    sent(committee, appealed, "rulings", {"dispute": 1, "decision": "overturn", "reason": "it was"})
    assert "Die Entscheidung des Schiedsrichters Strafe CNO-7: late" in form("?kind=appeal&dispute=1", "de")
    assert "Reason it was" in form("?kind=ruling&dispute=1")
    assert "What the players say Decision ☐ It stands" in form("")
    assert committee.get(f"/g/{appealed}/form?dispute=7").status_code == 404
    assert viewer.get(f"/g/{appealed}/form").status_code == 403
