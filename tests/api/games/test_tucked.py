"""Games of the Trumpfspiel over HTTP, however winners tuck: a sample. More games: ``./run tables``."""

import pytest

from tests.api.conftest import Service
from tests.telling.at_a_table import record_at_a_table, set_up_number
from tests.telling.tucking import TUCKS, Tuck


@pytest.mark.parametrize("tuck", TUCKS)
@pytest.mark.parametrize("number", [1, 16])
def test_a_game_is_recorded_to_its_end_without_an_arbiter(tuck: Tuck, number: int, service: Service):  # QTR-32
    recorder = service.caller("recorder")
    found = record_at_a_table(recorder, set_up_number(number), tuck, "sample")
    assert found.breach is None
    assert found.steps > 3
    game = f"/v1/games/{found.game}"
    assert recorder.get(f"{game}/audit").json()["verdict"] == "sound"
    assert "blocks" not in recorder.get(f"{game}/table?view=public").json()
