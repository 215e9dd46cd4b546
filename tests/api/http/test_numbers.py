"""Numbers that no careful client sends, at every place where an operation takes one: whatever they are refused with, nothing breaks."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from tests.api.conftest import Service
from tests.api.tournament import announced, entered, paired

IN_PATHS = ["0", "-1", "007", "+1", "1_0", "\u0661", "2147483648", str(2**63), "9" * 4000]
IN_QUERIES = {"sqlite": ["-1", "007", str(2**63)], "postgresql": [str(2**31), "9" * 30]}
IN_BODIES = {"sqlite": [-1, 2**63], "postgresql": [2**31, 10**30]}
"""An embedded database takes numbers below 2**63, a server of some columns those below 2**31. What comes to neither is tried once."""


class Tried(NamedTuple):
    operation: str
    place: str
    value: object
    status: int


class World:
    """The document, and things for it to speak of: each operation has a game, a tournament and a player of its own."""

    def __init__(self, service: Service, database: str = "sqlite") -> None:
        self.database = database
        self.director = service.caller("director")
        self.document = service.contract.document
        self.operations = [
            (path, method, operation) for path, methods in self.document["paths"].items() for method, operation in methods.items()
        ]

    def address(self, path: str) -> str:
        if "{game}" in path:
            game = self.director.open(players=["p1", None])
            self.director.deal(game)
            self.director.post(f"/v1/games/{game}/disputes", {"claim": "a card too many"})
            path = path.replace("{game}", game)
        if "{tournament}" in path:
            tournament = announced(self.director)
            entered(self.director, tournament, 4)
            paired(self.director, tournament)
            path = path.replace("/v1/tournaments/{tournament}", tournament)
        if "{player}" in path:
            player = f"p{len(self.director.get('/v1/players').json()['items'])}"
            self.director.post("/v1/players", {"id": player, "name": "Anna"})
            path = path.replace("{player}", player)
        return path.replace("{key}", "casino")

    def ask(self, method: str, address: str, body: object) -> Any:
        return self.director.call(method.upper(), address, **({} if method == "get" else {"json": body}))

    def resolved(self, schema: dict[str, Any]) -> dict[str, Any]:
        return self.document["components"]["schemas"][schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema


def kinds_of(schema: dict[str, Any]) -> set[str]:
    """The types that a schema names; of one that names none, any."""
    kinds = {kind for one in schema.get("anyOf", ()) for kind in kinds_of(one)}
    kind = schema.get("type", [])
    return kinds | set(kind if isinstance(kind, list) else [kind]) or ({"any"} if "$ref" not in schema and "enum" not in schema else set())


def bodies(world: World, operation: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Each body of an example with another number in one place, and with one in each field that takes one and is not in the example."""
    content = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
    fields = world.resolved(content.get("schema", {})).get("properties", {})
    taking = [name for name, schema in fields.items() if kinds_of(schema) & {"integer", "any"}]
    for example in (one["value"] for one in content.get("examples", {"none": {"value": {}}}).values()):
        for value in IN_BODIES[world.database]:
            yield from replaced(example, value)
            yield from ((f"{name}={value}", {**example, name: value}) for name in taking if name not in example)


def replaced(given: Any, value: int) -> Iterator[tuple[str, Any]]:
    """With this number in the place of each number, one after another."""
    match given:
        case bool():
            return
        case int():
            yield f"{value}", value
        case list():
            for index, item in enumerate(given):
                yield from ((f"[{index}]{place}", [*given[:index], one, *given[index + 1 :]]) for place, one in replaced(item, value))
        case dict():
            for name, item in given.items():
                yield from ((f".{name}{place}", {**given, name: one}) for place, one in replaced(item, value))


def example_of(operation: dict[str, Any]) -> Any:
    content = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
    return next((one["value"] for one in content.get("examples", {}).values()), {})


def in_paths(world: World) -> Iterator[Tried]:
    for path, method, operation in world.operations:
        numbers = [one["name"] for one in operation["parameters"] if one["in"] == "path" and one["schema"].get("type") == "integer"]
        for name in numbers:
            address = world.address(path)
            for value in IN_PATHS:
                filled = address.replace(f"{{{name}}}", value)
                for other in numbers:
                    filled = filled.replace(f"{{{other}}}", "1")
                yield Tried(operation["operationId"], name, value, world.ask(method, filled, example_of(operation)).status_code)


def in_queries(world: World) -> Iterator[Tried]:
    for path, method, operation in world.operations:
        named = [one for one in operation["parameters"] if one["in"] == "query" and "integer" in kinds_of(one["schema"])]
        address = world.address(path).replace("{round}", "1") if named else ""
        for one in named:
            for value in IN_QUERIES[world.database]:
                answer = world.ask(method, f"{address}?{one['name']}={value}", example_of(operation))
                yield Tried(operation["operationId"], one["name"], value, answer.status_code)


def in_bodies(world: World) -> Iterator[Tried]:
    for path, method, operation in world.operations:
        if method != "post":
            continue
        address = world.address(path)
        for name in ("number", "round", "entrant"):
            address = address.replace(f"{{{name}}}", "1")
        for place, body in bodies(world, operation):
            filled = address.replace("{position}", "1")
            yield Tried(operation["operationId"], place, body, world.ask(method, filled, body).status_code)


@pytest.fixture
def world(any_service: Service, database_url: str) -> World:
    return World(any_service, database_url.partition(":")[0])


def broken(tried: Iterator[Tried]) -> list[Tried]:
    every = list(tried)
    assert len(every) > 50
    return [one for one in every if one.status >= 500]


def test_no_number_in_a_path_breaks_anything_and_one_that_is_not_spelled_as_it_is_told_leads_nowhere(service: Service):
    """No database is asked for such an address."""
    every = list(in_paths(World(service)))
    assert len(every) > 100
    assert [one for one in every if one.status != 404] == []


def test_the_character_0_in_an_address_leads_nowhere(service: Service):
    world = World(service)
    for path, method, operation in world.operations:
        for name in ("tournament", "player", "key", "table"):
            if f"{{{name}}}" in path:
                address = path.replace(f"{{{name}}}", "a%00b")
                for other in ("number", "round", "entrant", "position", "tournament", "table"):
                    address = address.replace(f"{{{other}}}", "1")
                answer = world.ask(method, address, example_of(operation))
                assert (answer.status_code, answer.json()["code"]) == (404, "not_found"), operation["operationId"]


def test_no_number_in_a_query_breaks_anything(world: World):
    assert broken(in_queries(world)) == []


def test_no_number_in_a_body_breaks_anything(world: World):
    assert broken(in_bodies(world)) == []
