"""The minute in which a token was used last."""

from datetime import datetime
from pathlib import Path

from tests.api.access.people import issued, with_secret
from tests.api.conftest import running, settings_of


def test_who_was_let_in_is_in_the_register_when_the_service_has_ended(tmp_path: Path):
    with running(settings_of(tmp_path)) as service:
        director = service.caller("director")
        used, unused = issued(director), issued(director)
        assert with_secret(director, used).get("/v1/games").status_code == 200
    with running(settings_of(tmp_path)) as service:
        listed = {one["id"]: one["used_at"] for one in service.caller("director").get("/v1/tokens").json()["items"]}
    assert listed[unused["id"]] is None
    assert datetime.fromisoformat(listed[used["id"]]).second == 0
    assert listed[used["id"]] >= used["issued_at"][:17] + "00.000000Z"
