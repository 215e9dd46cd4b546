"""A house for twins: a tournament with two tables, the hand at the first of them, officials who act, and readers of every kind."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx

from api.services import Limits, Rate
from deploy.compose import open_services
from deploy.config.settings import Settings
from domain.access import UNBOUND, Grant, OfGame, OfTable, OfTournament
from domain.journal.sessions import Token
from tests.access.listening import Listener
from tests.access.twins import Twins
from tests.api.client import Client
from tests.api.conftest import app_of
from tests.api.webhooks.receiving import HERE, Receiver, receiving
from tests.deploy.stores.stores import sql_of
from tests.evening.chance import Chance
from tests.kept_log import kept_log
from tests.migrated import migrated_file

_NO_LIMIT = Limits(per_second=None, by_address=Rate(None, 1), answer=300.0)  # what is left of a limit tells the time
SPRING, LEAGUE = "spring", "league"


class _Chance(Chance):
    """``given``: the next salts, and so the secrets that are made of them; behind them all is as in every other house."""

    def __init__(self) -> None:
        super().__init__()
        self.given: list[bytes] = []

    def new_salt(self) -> bytes:
        return self.given.pop(0) if self.given else super().new_salt()


class House:
    """A service whose clock, ids and salts are the same as in every other house, but for the secrets that it is given."""

    def __init__(self, services: Any, client: Any, chance: _Chance, sign: Callable[[], None]) -> None:
        self.services, self.client, self._chance, self._number = services, client, chance, 0
        self.sign = sign
        self.receivers: dict[str, Receiver] = {}
        """Where webhooks send to, by who they stand for."""

    def let_in(self, name: str, role: str, grant: Grant = UNBOUND) -> None:
        hashed = sha256(f"kb_{name}".encode()).hexdigest()
        self.services.registers.add_token(Token(f"t_{name}", hashed, f"p_{name}", role, name, "2026-11-21T00:00:00Z", None, grant))

    def ask(self, name: str, method: str, target: str, body: object = None, **headers: str) -> httpx.Response:
        self._number += 1
        self._chance.turn(self._number)
        sent = {key.replace("_", "-"): value for key, value in headers.items()} | {"request-id": f"r{self._number}"}
        sent |= {"authorization": f"Bearer kb_{name}"} if name != "nobody" else {}
        given: dict[str, Any] = {}
        if body is not None:
            given = {"content": json.dumps(body)}
            sent |= {"content-type": "application/json"}
        answer: httpx.Response = self.client.request(method, target, headers=sent, **given)
        assert answer.status_code != 500, (method, target, answer.text)
        return answer

    def did(self, name: str, target: str, body: object) -> Any:
        answer = self.ask(name, "POST", target, body)
        assert answer.status_code in (200, 201), (target, body, answer.text)
        return answer.json()

    def did_by_secret(self, name: str, target: str, body: object, secret: bytes) -> Any:
        """What binds the service to this secret."""
        self._chance.given = [secret[:16], secret[16:]]
        answer = self.did(name, target, body)
        assert self._chance.given == []
        return answer

    def listen(self, name: str, target: str) -> Listener:
        """From now on, until he is closed."""
        sent = {"request-id": "listening", "accept": "text/event-stream"} | (
            {"authorization": f"Bearer kb_{name}"} if name != "nobody" else {}
        )
        return Listener(self.client.blocking_portal, self.client.app, target, sent)


@contextmanager
def house(folder: Path) -> Iterator[House]:
    chance = _Chance()
    settings = Settings(data=folder)
    migrated_file(settings.journal_file)
    with open_services(settings, alone=True, clock=chance.second, new_id=chance.new_id, shuffle=chance.shuffled) as services:
        sql_of(services.journal.store).change("UPDATE epochs SET id = ?", ("e" * 16,))
        with ExitStack() as stack:
            kept = stack.enter_context(kept_log(settings, services))
            known = replace(services, limits=_NO_LIMIT, new_salt=chance.new_salt, webhook_networks=HERE, log=kept.log)
            client = stack.enter_context(Client(stack.enter_context(app_of(known))))
            client.headers["Accept-Encoding"] = "identity"
            found = House(known, client, chance, kept.sign)
            for role in ("director", "recorder", "arbiter", "committee"):
                found.let_in(role, role)
            for name in ("viewer", "player", "arbiter of table 2"):
                found.receivers[name] = stack.enter_context(receiving())
            yield found


class Evening:
    """One of the twins, recorded in a house of its own. ``answers`` are those to everybody who acts with the eyes of the public, ``wanted``
    is more of how its games are opened.
    """

    wanted: Mapping[str, object] = {}

    def __init__(self, house: House, one: Twins, deck: tuple[str, ...], followers: Sequence[str] = ()) -> None:
        """``followers``: the readers who follow while it is recorded; all of them where none are named."""
        self.house, self.twins, self.deck = house, one, deck
        self.seats = one.playout.rulebook.setup.seats
        self.parties = len(one.playout.rulebook.setup.parties)
        self.answers: list[tuple[str, object]] = []
        self.moves: list[tuple[int, dict[str, Any]]] = []
        """Some that were made, with the position before them."""
        self._publish()
        self.game = self._opened("1")
        self.other = self._opened("2")
        self._let_everybody_in()
        self._register_webhooks()
        self.listeners = {
            (reader, target): house.listen(reader, target) for reader in (followers or self.readers) for target in self._streams()
        }
        """Who follows while it is recorded, by who he is and what he follows."""
        try:
            self._record()
            self._heard()
        finally:
            for listener in self.listeners.values():
                listener.close()
        self.end = self._position()
        house.sign()

    def _streams(self) -> tuple[str, ...]:
        return f"/v1/games/{self.game}/stream", f"/v1/tournaments/{SPRING}/stream?after=0", "/v1/feed"

    def _heard(self) -> None:
        """All who follow have heard of what is recorded so far: what they are told later may be told otherwise."""
        position, head = self._position(), self.house.services.journal.head()
        for (_, target), listener in self.listeners.items():
            listener.until(position if "/games/" in target else head)
        for receiver in self.house.receivers.values() if head > self._registered_at else ():
            receiver.until(lambda got: bool(got) and got[-1].sequence == head)

    def _register_webhooks(self) -> None:
        kinds: dict[str, dict[str, Any]] = {
            "viewer": {"role": "viewer", "scope": "everything"},
            "player": {"role": "player", "scope": {"game": self.game}, "seat": self.twins.eyes.who},
            "arbiter of table 2": {"role": "arbiter", "scope": {"tournament": SPRING, "table": "2", "since": 1}},
        }
        self._registered_at = self.house.services.journal.head()  # what comes after it is told
        for name, receiver in self.house.receivers.items():
            self.house.did("director", "/v1/webhooks", {"url": receiver.url, **kinds[name]})

    @property
    def delivered(self) -> dict[str, list[tuple[str, bytes]]]:
        """What webhooks were sent, by who they stand for: the ids and bodies of all messages."""
        return {name: [(one.id, one.body) for one in receiver.got] for name, receiver in self.house.receivers.items()}

    def _publish(self) -> None:
        """So that nobody in particular reads it, too."""
        setup = self.twins.playout.rulebook.setup
        plan = {
            "id": SPRING,
            "ruleset": self.twins.key,
            "options": setup.options,
            "seats": setup.seats,
            "format": "manual",
            "scoring": {"by": "points"},
        }
        self.house.did("director", "/v1/tournaments", plan)
        self.house.did("director", f"/v1/tournaments/{SPRING}/publication", {"publication": "aliases"})
        self.house.did("director", "/v1/series", {"id": LEAGUE, "points": {"by": "score"}})
        self.house.did("director", f"/v1/series/{LEAGUE}/tournaments", {"tournament": SPRING})
        self.house.did("director", f"/v1/series/{LEAGUE}/publication", {"publication": "aliases"})

    def _opened(self, table: str) -> str:
        setup = self.twins.playout.rulebook.setup
        body = {
            "ruleset": self.twins.key,
            "options": setup.options,
            "seats": setup.seats,
            "players": [f"p{table}{seat}" for seat in range(setup.seats)],
            "tournament": SPRING,
            "round": 1,
            "table": table,
            **self.wanted,
        }
        return str(self.house.did("recorder", "/v1/games", body)["game"])

    def _let_everybody_in(self) -> None:
        seat = self.twins.eyes.who
        assert isinstance(seat, int)
        table_1, table_2 = OfTable(SPRING, "1", 1), OfTable(SPRING, "2", 1)
        self.house.let_in("viewer", "viewer")
        for role in ("director", "recorder", "arbiter", "committee"):
            self.house.let_in(f"{role} of table 2", role, Grant(table_2))
            self.house.let_in(f"{role} of autumn", role, Grant(OfTournament("autumn")))
            self.house.let_in(f"{role} who sees what is public", role, Grant(table_1, "public"))
        self.house.let_in("viewer of the tournament", "viewer", Grant(OfTournament(SPRING)))
        self.house.let_in("player", "player", Grant(OfTournament(SPRING), player=f"p1{seat}"))
        self.house.let_in("player of table 2", "player", Grant(OfTournament(SPRING), player="p20"))
        self.house.let_in("player of autumn", "player", Grant(OfTournament("autumn"), player=f"p1{seat}"))
        if self.twins.eyes.until is None:
            self.house.let_in("player of the seat", "player", Grant(OfGame(UUID(self.game), SPRING, 1, "1"), seat=seat))

    @property
    def readers(self) -> tuple[str, ...]:
        """Whose eyes are those of the twins, or of the public."""
        officials = tuple(
            f"{role} {where}"
            for role in ("director", "recorder", "arbiter", "committee")
            for where in ("of table 2", "of autumn", "who sees what is public")
        )
        players = ("player", "player of table 2", "player of autumn", *(("player of the seat",) if self.twins.eyes.until is None else ()))
        return ("nobody", "viewer", "viewer of the tournament", *players, *officials)

    def _record(self) -> None:
        game, steps, until = f"/v1/games/{self.game}", self.twins.playout.steps, self.twins.eyes.until
        recorders = ("recorder", "recorder who sees what is public")
        for number, step in enumerate(steps):
            self._heard()
            if number == len(steps) - 1:
                self._print()
            if step.move is None:
                self._deal(step.seat)
            else:
                if number % 5 == 3 and (until is None or number < until):
                    self.moves.append((self._position(), {"seat": step.seat, "move": step.move}))
                self._move(recorders[number % 2], {"seat": step.seat, "move": step.move})
            if number == 1:
                self._officials_act(game)
            if number == 2:
                self._take_back_and_play_again(game, {"seat": step.seat, "move": step.move})
            if number == until:
                self.house.did("recorder", f"{game}/players", {"seat": self.twins.eyes.who, "player": "substitute"})

    def blinded(self, told: object) -> object:
        """What was told, without what has to differ."""
        return told

    def _deal(self, dealer: int) -> None:
        self.house.did("recorder", f"/v1/games/{self.game}/hands", {"dealer": dealer, "deck": list(self.deck)})

    def _print(self) -> None:
        """What is signed by now is kept: proofs of what came before say so."""
        self.house.sign()
        assert self.house.ask("director", "GET", f"/v1/tournaments/{SPRING}/standings?format=html&checkpoint=true").status_code == 200

    def _position(self) -> int:
        return int(self.house.ask("director", "GET", f"/v1/games/{self.game}").json()["position"])

    def _move(self, recorder: str, made: Mapping[str, Any]) -> None:
        answer = self.house.ask(recorder, "POST", f"/v1/games/{self.game}/moves", made)
        assert answer.status_code == 201, (made, answer.text)
        if recorder != "recorder":
            self.answers.append((f"answer to {made}", answer.content))

    def _officials_act(self, game: str) -> None:
        position = self._position()
        self.house.did("recorder", f"{game}/disputes", {"position": position, "claim": "A card was shown.", "suspends": True})
        self._heard()
        self.house.did("arbiter", f"{game}/rulings", {"dispute": 1, "decision": "stands", "reason": "It was the KC."})
        self.house.did("arbiter", f"{game}/notes", {"text": "Seat 0 has seen the KC."})
        self.house.did("arbiter", f"{game}/adjustments", {"adjustments": [{"party": 0, "points": -1}], "reason": "late"})

    def _take_back_and_play_again(self, game: str, made: Mapping[str, Any]) -> None:
        position = self._position()
        self._heard()
        self.house.did("recorder", f"{game}/rewinds", {"to": position - 1, "reason": "entered twice"})
        self._heard()
        self._move("recorder", made)
