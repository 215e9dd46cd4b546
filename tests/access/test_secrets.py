"""The secret of a deck that nobody chose is told to nobody who may not see all cards of its hand, at any exit, also once it is recorded;
that of lots to nobody at all before they are drawn.
"""

from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

from tests.access.exits import Exit, exits
from tests.access.house import SPRING, Evening, House, house
from tests.access.twins import twins
from tests.domain.fair import DICE
from tests.evening.chapters.operations import READS


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
        evening = FairEvening(found, twins("casino", chance, "shuffled"), (), ("nobody", "player", "viewer"))
        secrets = [one["secret"] for one in found.ask("director", "GET", f"/v1/games/{evening.game}/shuffles").json()["shuffles"]]
        assert [secret is None for secret in secrets] == [False, False]

        def holds(content: Any) -> bool:
            text = content.decode(errors="replace") if isinstance(content, bytes) else str(content)
            return any(secret in text for secret in secrets)

        ways = list(exits(evening))
        told = (way for way in ways if holds(found.ask("director", way.method, way.target, way.body, **way.headers).content))
        assert len(list(islice(told, 6))) == 6
        leaks = [
            f"{reader}, {way}"
            for way in ways
            for reader in chance.sample(evening.readers, 1)
            if holds(found.ask(reader, way.method, way.target, way.body, **way.headers).content)
        ]
        leaks += [f"{reader}, who follows {target}" for (reader, target), one in evening.listeners.items() if holds(one.told())]
        leaks += [f"the webhook of a {name}" for name, sent in evening.delivered.items() if holds(sent)]
        assert leaks == []


def test_no_answer_holds_the_secret_of_lots_before_they_are_drawn(tmp_path: Path):
    path, by_hand = f"/v1/tournaments/{SPRING}", {"tables": [{"parties": [[1], [2]]}]}
    with house(tmp_path) as found:
        found.did("director", "/v1/tournaments", {"id": SPRING, "ruleset": "casino", "seats": 2, "format": "swiss", "tie_breaks": ["lots"]})
        found.did("director", f"{path}/entries", {"entries": [{"players": ["p1"]}, {"players": ["p2"]}]})
        found.did("director", f"{path}/publication", {"publication": "names"})
        found.sign()
        secret = found.services.registers.find_secret(found.ask("director", "GET", path).json()["lots"]["commitment"]).hex()
        own = [
            Exit("GET", read.target.format(tournament=SPRING))
            for read in READS
            if read.target.count("{") == read.target.count("{tournament}")
        ]
        ways = [
            *own,
            *(Exit("POST", f"{path}/rounds?dry_run=true", body) for body in ({}, by_hand)),
            Exit("GET", "/v1/log/tile/entries/000.p/4"),
        ]
        assert len(ways) > 50
        readers = ("director", "nobody")
        assert [f"{reader}, {way}" for reader in readers for way in ways if secret in _asked(found, reader, way)] == []
        found.did("director", f"{path}/rounds", {})
        assert secret in _asked(found, "nobody", Exit("GET", f"{path}/history"))


def _asked(house: House, reader: str, way: Exit) -> str:
    return house.ask(reader, way.method, way.target, way.body, **way.headers).content.decode(errors="replace")
