"""The secret of a deck that nobody chose is told to nobody who may not see all cards of its hand, at any exit, also once it is recorded."""

from pathlib import Path
from random import Random
from typing import Any

from tests.access.exits import exits
from tests.access.house import Evening, house
from tests.access.twins import twins
from tests.domain.fair import DICE


class FairEvening(Evening):
    """A hand from a deck that nobody chose, after a try that was given up; it is over, and opens to nobody."""

    def _opened(self, table: str) -> str:
        setup = self.twins.playout.rulebook.setup
        body = {
            "ruleset": self.twins.key,
            "options": setup.options,
            "seats": setup.seats,
            "tournament": "spring",
            "round": 1,
            "table": table,
        }
        players = [f"p{table}{seat}" for seat in range(setup.seats)]
        return str(self.house.did("recorder", "/v1/games", {**body, "players": players, "shuffle": "fair", "openness": "never"})["game"])

    def _record(self) -> None:
        game, chance = f"/v1/games/{self.game}", Random(1)
        for _ in range(2):
            self.house.did("recorder", f"{game}/shuffles", {"dealer": 0, "dice": 8})
            self._heard()
        last = self.house.did("recorder", f"{game}/shuffles/dice", {"dice": DICE})
        self._heard()
        while "closed_hands" not in last:
            legal = self.house.ask("recorder", "GET", f"{game}/legal-moves?limit=20").json()
            made = {"seat": legal["seat"], "move": chance.choice(legal["moves"])}
            if last["position"] % 20 == 0:
                self.moves.append((last["position"], made))
            last = self.house.did("recorder", f"{game}/moves", made)
            self._heard()


def test_no_answer_holds_a_secret_whose_hand_is_not_open(tmp_path: Path):
    chance = Random("secrets")
    with house(tmp_path) as found:
        evening = FairEvening(found, twins("casino", chance, "shuffled"), ())
        secrets = [one["secret"] for one in found.ask("director", "GET", f"/v1/games/{evening.game}/shuffles").json()["shuffles"]]
        assert [secret is None for secret in secrets] == [False, False]

        def holds(content: Any) -> bool:
            text = content.decode(errors="replace") if isinstance(content, bytes) else str(content)
            return any(secret in text for secret in secrets)

        ways = list(exits(evening))
        assert sum(holds(found.ask("director", way.method, way.target, way.body, **way.headers).content) for way in ways) > 5
        leaks = [
            f"{reader}, {way}"
            for reader in evening.readers
            for way in ways
            if chance.random() < 0.3 and holds(found.ask(reader, way.method, way.target, way.body, **way.headers).content)
        ]
        leaks += [f"{reader}, who follows {target}" for (reader, target), one in evening.listeners.items() if holds(one.told())]
        leaks += [f"the webhook of a {name}" for name, sent in evening.delivered.items() if holds(sent)]
        assert leaks == []
