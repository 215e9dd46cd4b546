"""The first steps that the OpenAPI document names. Clients that generators make of it play in ``./run contract``."""

import json
import re
from pathlib import Path

from tests.deploy.serving import served
from tests.npm import started


def test_the_first_steps_of_the_description_can_be_taken(tmp_path: Path):
    with served("--data", tmp_path / "data") as server, server.client() as client:
        start = client.get("/openapi.json").json()["info"]["description"]
        steps = "".join(re.findall(r"^```sh\n(.*?)^```$", start, re.DOTALL | re.MULTILINE))
        assert server.token is not None
        done = started("bash", "-euc", re.sub(r"^export .*\n", "", steps), KIEBITZ_URL=server.url, KIEBITZ_TOKEN=server.token)
    dealt, legal, played, table = map(json.loads, done.stdout.splitlines())
    assert {"type": "trail", "card": "3H"} in legal["moves"]
    assert (dealt["position"], played["position"], table["turn"], "3H" in table["table"]) == (2, 3, 1, True)
