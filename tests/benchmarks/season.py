"""A store with the games of a season, quickly: tournaments of eight tables and five rounds, but short games, each many times."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import count, islice
from random import Random
from typing import Any
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from domain import codec, player
from domain.events import Event, Recorded, Stamp, digest
from domain.events.game import DisputeRaised, DisputeRuled, GameAbandoned, GameAnnulled, GameOpened, GameSuspended, PointsAdjusted
from domain.events.player import PlayerErased, PlayerMerged
from domain.events.tournament import TournamentPublished
from domain.games import RULESETS
from domain.journal.commits import StoredEvent, to_stored
from domain.journal.registers import Person
from domain.journal.store import EventStore
from domain.standings.plan import Scoring
from domain.tournament import tournament
from domain.tournament.announcement import AnnouncementInput, announce_tournament
from tests.benchmarks.games import played

_SHORT: dict[str, tuple[dict[str, Any], int]] = {
    "alcasan": ({"move_limit": 20}, 2),
    "canasta": ({"end": "hands", "hand_count": 1}, 2),
    "cascades": ({}, 1),
    "casino": ({"target": 1}, 2),
    "quartett-classic": ({"deck_def": "metals", "ask_limit": 12}, 3),
    "quartett-trumpf": ({"deck_def": "metals", "round_limit": 5}, 3),
}
_ROUNDS, _TABLES = 5, 8
_GIVEN = ["Adelheid", "Balthasar", "Corona", "Dagobert", "Eulalia", "Florian", "Gundula", "Isolde", "Jodokus", "Leberecht", "Nepomuk"]
_GIVEN += ["Ottilie", "Pankraz", "Quirin", "Rosalinde", "Servatius", "Tusnelda", "Urban"]
_FAMILY = ["Amsel", "Bachstelze", "Dohle", "Eisvogel", "Fitis", "Grünfink", "Habicht", "Kleiber", "Lerche", "Mauersegler", "Neuntöter"]
_FAMILY += ["Ortolan", "Pirol", "Rohrsänger", "Stieglitz", "Uhu", "Wendehals", "Zaunkönig", "Zilpzalp"]
_CLUBS = ("eulenspiel", "roter-milan", "seitenwind", "drei-meisen", "morgenstern", "blaue-feder", "letzter-stich", "alte-muehle")
_FIRST_DAY = datetime(2025, 9, 6, 10, tzinfo=UTC)
_LONG_AGO = datetime(2025, 8, 1, tzinfo=UTC)
_GAMES = 5
_AT_ONCE = 200
_RULES = ("CNO-22", "CAN-32", "ALC-43", "CSC-44")


class Player(Struct, frozen=True):
    id: str
    name: str
    club: str


class Fixture(Struct, frozen=True):
    """A game to be played. ``number`` counts from 1 through the whole season."""

    number: int
    tournament: str
    round: int
    table: str
    ruleset: str
    players: tuple[str, ...]
    begins: datetime


def players() -> list[Player]:
    """The pool from which every tournament has its players; each name is there once."""
    chance, names = Random("players"), [f"{given} {family}" for family in _FAMILY for given in _GIVEN]
    shuffled = chance.sample(names, len(names))
    return [Player(f"p-{number:03}", name, chance.choice(_CLUBS)) for number, name in enumerate(shuffled, 1)]


def fixtures() -> Iterator[Fixture]:
    """One tournament after another, without an end, each of one ruleset and on one day."""
    pool, numbers = [player.id for player in players()], count(1)
    for held in count():
        ruleset = [*_SHORT][held % len(_SHORT)]
        name, seats = f"{ruleset}-{held // len(_SHORT) + 1}", _SHORT[ruleset][1]
        chance, begins = Random(name), _FIRST_DAY + timedelta(weeks=held % 36)
        entrants = chance.sample(pool, seats * _TABLES)
        for round in range(1, _ROUNDS + 1):
            seated = iter(chance.sample(entrants, len(entrants)))
            for table in range(1, _TABLES + 1):
                at = begins + round * timedelta(minutes=75)
                yield Fixture(next(numbers), name, round, str(table), ruleset, tuple(islice(seated, seats)), at)


def fill(store: EventStore, games: int) -> Iterator[Fixture]:
    """Records the players and so many games, of tournaments of which about half are published; answers whom the games were for, as each
    batch is stored."""
    _register(store, players())
    models = {key: [tuple(played(seed, key, options, seats)) for seed in range(_GAMES)] for key, (options, seats) in _SHORT.items()}
    season = islice(fixtures(), games)
    while batch := list(islice(season, _AT_ONCE)):
        held = [event for fixture in batch if (fixture.round, fixture.table) == (1, "1") for event in _announced(fixture)]
        store.insert_events([*held, *(event for fixture in batch for event in _stored(fixture, models[fixture.ruleset]))])
        yield from batch


def crowd(store: EventStore, members: int) -> None:
    """So many players more, as a federation has them: one in a thousand in the club ``village``, one in fifty merged, one in 97 erased."""
    pool, chance = players(), Random(members)
    names = [(chance.choice(pool), chance.choice(pool)) for _ in range(members)]
    some = [
        replace(club, id=f"f-{number:06}", name=f"{club.name} {other.name}", club=club.club if number % 1000 else "village")
        for number, (club, other) in enumerate(names)
    ]
    _register(store, some, _later)


def _later(number: int) -> tuple[Event, ...]:
    if number % 50 == 1:
        return (PlayerMerged(f"f-{number - 1:06}"),)
    return () if number % 97 else (PlayerErased(),)


def _register(store: EventStore, pool: Sequence[Player], later: Callable[[int], tuple[Event, ...]] = lambda number: ()) -> None:
    """``later``: what else happened to each of them, by his number."""
    stamp, events = Stamp(_LONG_AGO, "bench"), list[Recorded]()
    for number, one in enumerate(pool):
        events += _recorded(player.player_stream(one.id), stamp, (player.registration(one.id, one.club), *later(number)))
    store.insert_events([to_stored(event) for event in events])
    store.enter_players([Person(one.id, one.name, None, "2025-08-01T00:00:00Z", "bench") for one in pool])


def _announced(fixture: Fixture) -> list[StoredEvent]:
    options, seats = _SHORT[fixture.ruleset]
    wanted = AnnouncementInput(
        options=options,
        seats=seats,
        format="manual",
        entrants="players",
        scoring=Scoring("points"),
        tie_breaks=(),
        rounds=_ROUNDS,
        games=1,
        openness="game_over",
    )
    event = announce_tournament(RULESETS[fixture.ruleset], fixture.tournament, None, wanted, "bench")
    shown = (TournamentPublished("aliases"),) if Random(fixture.tournament).random() < 0.5 else ()
    events = _recorded(tournament.tournament_stream(fixture.tournament), Stamp(fixture.begins, "bench"), (event, *shown))
    return list(map(to_stored, events))


def _stored(fixture: Fixture, models: list[tuple[Event, ...]]) -> Iterable[StoredEvent]:
    chance = Random(fixture.number)
    opened, *play = chance.choice(models)
    assert isinstance(opened, GameOpened)
    place = {"tournament": fixture.tournament, "round": fixture.round, "table": fixture.table}
    opened = replace(opened, players=fixture.players[: opened.setup.seats], **place)
    if chance.random() < 0.1:
        play = play[: len(play) // 2]
    stamp = Stamp(fixture.begins, f"recorder-{fixture.number % 7}")
    return map(to_stored, _recorded(UUID(int=fixture.number, version=4), stamp, (opened, *play, *_acts(chance))))


def _acts(chance: Random) -> tuple[Event, ...]:
    """What officials did, in one game of five."""
    rules = (chance.choice(_RULES),)
    acts: list[tuple[Event, ...]] = [
        (GameSuspended(None),),
        (GameAbandoned(None),),
        (GameAnnulled(None),),
        (DisputeRaised(1, 1, 0, None, False), DisputeRuled(1, 1, "arbiter", "stands", None, rules)),
        (DisputeRuled(1, None, "arbiter", "penalty", None, rules), PointsAdjusted(None, 0, -2, None, 1)),
    ]
    return chance.choice(acts) if chance.random() < 0.2 else ()


def _recorded(game: UUID, stamp: Stamp, events: Iterable[Event]) -> Iterator[Recorded]:
    link = None
    for position, event in enumerate(events, 1):
        recorded = codec.encode_event(game, position, link, stamp, event)
        link = digest(recorded.state)
        yield recorded
