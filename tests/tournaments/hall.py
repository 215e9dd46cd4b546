"""A hall: one tournament of a service, the random choices about it, and every act that was tried, with its answer."""

from collections import Counter
from collections.abc import Iterable, Sequence
from random import Random
from typing import Any, TypeVar

from domain.standings.plan import Outcome
from domain.tournament.games import TableGame
from domain.tournament.state import Entrant, RoundTable
from domain.tournament.tally import tally_rounds
from domain.tournament.tournament import Tournament, project, tournament_stream
from projections.models.results import results
from tests.api.conftest import Caller, Service
from tests.evening.book import split_method

T = TypeVar("T")
_EXPECTED = (200, 201, 422)
"""An act is recorded or refused. A refusal of the rules is an answer, too; anything else is a breach."""


class BreachError(AssertionError):
    """A law that did not hold."""


class Hall:
    """A tournament that is played. ``log``: the acts in short, for whoever looks for the cause of a breach."""

    def __init__(self, service: Service, id: str, chance: Random) -> None:
        self.id, self.chance = id, chance
        self.path = f"/v1/tournaments/{id}"
        self.director: Caller = service.caller("director")
        self.services = service.services
        self.tried: Counter[tuple[str, str]] = Counter()
        self.log: list[str] = []
        self.checks = 0
        self.hands: Counter[str] = Counter()
        self._named = 0

    # What stands

    @property
    def now(self) -> Tournament:
        now = project(None, self.services.journal.history(tournament_stream(self.id)))
        assert now is not None
        return now

    def games(self) -> tuple[TableGame, ...]:
        self.get("/rounds")  # its answer waits for the projection
        return results(self.services.store, self.id)

    def outcomes(self) -> tuple[Outcome, ...]:
        return tally_rounds(self.now, self.games())

    # Requests

    def get(self, path: str) -> Any:
        """Return the answer below the tournament, or to a whole path. Raises ``BreachError`` if it is no 200."""
        whole = path if path.startswith("/v1/") else self.path + path
        answer = self.director.get(whole)
        if answer.status_code != 200:
            raise BreachError(f"GET {whole}: {answer.status_code} {answer.text[:300]}")
        return answer

    def post(self, act: str, path: str, body: Any) -> Any:
        """Return the answer to an act. Raises ``BreachError`` if it was neither recorded nor refused by a rule."""
        method, path = split_method(path)
        whole = path if path.startswith("/v1/") else self.path + path
        answer = self.director.send(method, whole, body)
        code = str(answer.json().get("code", "")) if answer.status_code == 422 else str(answer.status_code)
        self.tried[act, code] += 1
        self.log.append(f"{act} {whole.removeprefix(self.path)} {body} -> {code}")
        if answer.status_code not in _EXPECTED or code == "malformed_body":
            raise BreachError(f"{self.log[-1]} {answer.text[:300]}")
        if act == "deal" and answer.status_code == 201:
            self.hands[answer.json()["game"]] += 1  # the seats deal in turn
        return answer

    # Choices

    def happens(self, probability: float) -> bool:
        return self.chance.random() < probability

    def one_of(self, some: Iterable[T]) -> T | None:
        """Return one by chance; ``None`` where there is none."""
        found = list(some)
        return self.chance.choice(found) if found else None

    def some_of(self, some: Sequence[T], most: int) -> list[T]:
        return self.chance.sample(some, self.chance.randint(min(1, len(some)), min(most, len(some))))

    def points(self, number: int) -> list[int]:
        """Return points of so many parties, now and then equal."""
        return [self.chance.randint(-5, 30) for _ in range(number)] if self.happens(0.85) else [7] * number

    def new_players(self, entrant: int, number: int) -> list[str]:
        """Return players who stand for nobody yet. Their names say for which entrant they play."""
        self._named += 1
        return [f"{self.id}-e{entrant}-{self._named}{'abcd'[seat]}" for seat in range(number)]

    def someone(self, now: Tournament) -> Entrant | None:
        return self.one_of(now.entrants)

    def some_table(self, now: Tournament, *, open_round: bool = False) -> tuple[int, RoundTable] | None:
        """Return a table with its round: mostly of the last one, or only where that is open."""
        last = now.rounds[-1:] if open_round or self.happens(0.75) else now.rounds
        return self.one_of((round.number, table) for round in last if not (open_round and round.closed) for table in round.tables)


def entrant_of(player: str) -> int:
    """Return the number of the entrant for whom a player stands."""
    return int(player.rsplit("-e", 1)[1].split("-")[0])
