"""An evening whose players were typed at the desk: their ids are UUIDs that mean nothing to anybody, and only one has an alias."""

import re
from typing import Any

from domain.access import Grant, OfTable, OfTournament
from tests.api.conftest import Caller, Service, add_token
from tests.api.people import act, erase
from tests.api.tournament import opened, paired

NAMES = ("Anna Müller", "Bert Zöllner", "Carla Ipswich", "Dora Quist", "Emil Xander", "Fritz Yves")
ALIAS = "Falke"
PAGE = {"Accept": "text/html"}


class Typed:
    """Two rounds of duels; in the second there is no game at table 2 yet. Carla objects to names, Dora was erased, and Fritz plays for Emil
    from round 2 on. ``refusals``: what was refused.
    """

    def __init__(self, service: Service) -> None:
        self.service, self.director = service, service.caller("director")
        self.refusals: list[Any] = []
        self.ids = [self._register(name) for name in NAMES]
        assert act(self.director, self.ids[0], "name", {"name": NAMES[0], "alias": ALIAS}).status_code == 200
        plan = {"ruleset": "casino", "seats": 2, "format": "manual", "title": "Club night", "entrants": "players", "hall_names": "aliases"}
        self.tournament = str(self.did("/v1/tournaments", plan)["tournament"])
        self.path = f"/v1/tournaments/{self.tournament}"
        self.did(f"{self.path}/entries", {"entries": [{"players": [id]} for id in self.ids[:5]]})
        self._first_round()
        self._second_round()
        self.alone = self.director.open(players=self.ids[:2])
        self.director.deal(self.alone)
        assert act(self.director, self.ids[2], "name", {"name": NAMES[2], "objects_to_names": True}).status_code == 200
        erase(self.director, self.ids[3])
        self.series = str(self.did("/v1/series", {"title": "Cup", "tables": {"category": True}})["series"])
        self.did(f"/v1/series/{self.series}/tournaments", {"tournament": self.tournament})
        self.did(f"/v1/series/{self.series}/categories", {"player": self.ids[0], "category": "junior"})
        for publication in ("no", "aliases"):
            self.did("/v1/ratings/lists", {"ruleset": "casino", "publication": publication})
        self.callers = dict(self._let_in())

    def did(self, path: str, body: object) -> Any:
        answer = self.director.post(path, body)
        assert answer.status_code in (200, 201), (path, answer.text)
        return answer.json()

    def refused(self, path: str, body: object, caller: Caller | None = None) -> Any:
        answer = (caller or self.director).post(path, body)
        assert answer.status_code >= 400, answer.text
        self.refusals.append(answer.json())
        return answer.json()

    def choose(self, hall_names: str) -> None:
        if self.director.get(self.path).json()["hall_names"] != hall_names:
            self.did(f"{self.path}/hall-names", {"hall_names": hall_names})

    def publish(self, publication: str) -> None:
        if self.director.get(self.path).json()["publication"] != publication:
            self.did(f"{self.path}/publication", {"publication": publication})
            self.did(f"/v1/series/{self.series}/publication", {"publication": publication})
            self.did("/v1/ratings/lists", {"ruleset": "casino", "publication": publication})

    def in_text(self, text: str) -> set[str]:
        """The ids of players that stand in a text."""
        return {id for id in self.ids if id in text}

    def _register(self, name: str) -> str:
        id = str(self.did("/v1/players", {"name": name})["player"])
        assert re.fullmatch(r"[0-9a-f-]{36}", id)
        return id

    def _first_round(self) -> None:
        ids, entries = self.ids, f"{self.path}/entries"
        paired(self.director, self.path, [[1], [2]], [[5], [3]], byes=[4])
        self.games = opened(self.director, self.path)
        game = f"/v1/games/{self.games['1']}"
        self.director.deal(self.games["1"])
        self.did(f"{game}/disputes", {"position": 2, "seat": 0, "claim": "The deal was late.", "suspends": True})
        self.did(f"{game}/rulings", {"dispute": 1, "decision": "stands", "reason": "It was not."})
        self.did(f"{game}/players", {"seat": 0, "player": ids[5]})
        self.did(f"{game}/players", {"seat": 0, "player": ids[0]})
        self.did(f"PUT {self.path}/rounds/1/tables/2/result", {"points": [11, 5], "side": 5})
        self.refused(entries, {"players": [ids[1]]})
        self.refused(f"{entries}/1/substitution", {"players": [ids[2]]})
        self.refused(f"{entries}/1/substitution", {"players": [ids[0], ids[0]]})
        self.refused(f"/v1/players/{ids[0]}/separation", {})
        self.refused(f"/v1/players/{ids[0]}/merger", {"into": ids[0]})
        self.refused("/v1/players", {"id": ids[0], "name": "Again"})
        self.refused(f"{self.path}/rounds/1/closing", {})
        self.did(f"PUT {self.path}/rounds/1/tables/1/result", {"points": [21, 17]})
        self.did(f"{self.path}/rounds/1/tables/2/confirmation", {"side": 3})

    def _second_round(self) -> None:
        self.did(f"{self.path}/rounds/1/closing", {})
        self.did(f"{self.path}/entries/5/substitution", {"players": [self.ids[5]]})
        paired(self.director, self.path, [[5], [1]], [[2], [4]], byes=[3])
        (table,) = self.did(f"{self.path}/rounds/2/games", {"tables": ["1"]})["tables"]
        self.games["round 2"] = table["game"]
        self.director.deal(table["game"])

    def _let_in(self) -> Any:
        own = OfTournament(self.tournament)
        grants = {
            "viewer": Grant(own),
            "player": Grant(own, player=self.ids[1]),
            "recorder": Grant(OfTable(self.tournament, "1", 2), "public"),
            "arbiter": Grant(own),
        }
        for role, grant in grants.items():
            token = add_token(self.service.services, role, f"{role} in the hall", grant)
            yield role, Caller(self.service.client, self.service.contract, token)
        yield "director", self.director
        yield "viewer of everything", self.service.caller("viewer")
        elsewhere = add_token(self.service.services, "viewer", "viewer elsewhere", Grant(OfTournament("elsewhere")))
        yield "viewer elsewhere", Caller(self.service.client, self.service.contract, elsewhere)
        yield "nobody", self.service.caller(None)
