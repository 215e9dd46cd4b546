"""What proofs cost: entering and signing events, paths in large trees, and files of a game of 200 events, made and verified by both
verifiers."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing
from functools import partial
from itertools import islice
from os import urandom
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter, time
from uuid import UUID

from deploy.compose import open_services
from deploy.config.settings import Settings
from deploy.stores.migrating import migrate
from deploy.stores.opening import open_log_tree
from replay.past import GamePast
from replay.proof import single_file
from replay.proof.log import Leaf, LogTree
from replay.proof.making import ProofFile, view_of
from replay.proof.tiles import build_tree_reader, grow_tiles, list_tiles_of_leaf
from replay.proof.tree import inclusion_path, root_of
from tests.benchmarks.games import played, recorded
from tests.benchmarks.measure import Figure, compared, each
from tests.benchmarks.rebuild import Insert, games_of_all, insert_postgres, insert_sqlite, played_together
from tests.kept_log import kept_log
from tests.postgres import fresh_database, running_server
from tests.replay.proof.made import Log, record
from tests.replay.proof.places import BLINDING, LOG, TOLD

EVENTS = 200_000
LEAVES = 1_000_000
MOVES = 200
_AT_ONCE = 65_536
_WANTED = 50_000.0
"""Events a second."""


def figures(quick: bool) -> Iterator[Figure]:
    yield from _files(60 if quick else MOVES, 3 if quick else 20)
    games, number = games_of_all(1), 3_000 if quick else EVENTS
    leaves = 3_000 if quick else LEAVES
    with TemporaryDirectory() as folder:
        yield from _entered("SQLite", Settings(Path(folder).resolve()), insert_sqlite, games, number)
    with TemporaryDirectory() as folder:
        yield from _paths("SQLite", f"sqlite:///{Path(folder).resolve() / 'log.db'}", leaves)
    with running_server() as server, TemporaryDirectory() as folder:
        settings = Settings(Path(folder).resolve(), fresh_database(server))
        yield from _entered("PostgreSQL", settings, insert_postgres, games, number)
        yield from _paths("PostgreSQL", fresh_database(server), leaves)


def _entered(name: str, settings: Settings, insert: Insert, games: Sequence[object], number: int) -> Iterator[Figure]:
    """By the keeper, with whatever the database does for it."""
    migrate(settings.journal_url)
    insert(settings, islice(played_together(games), number))  # pyrefly: ignore[bad-argument-type]
    with ExitStack() as stack:
        services = stack.enter_context(open_services(settings, alone=settings.embedded))
        kept = stack.enter_context(kept_log(settings, services, time))
        begun = perf_counter()
        kept.sign()
        seconds = perf_counter() - begun
    yield compared(
        f"enter and sign {number:,} events, {name}", seconds, f"{_WANTED:,.0f} a second", number / _WANTED, goal=1.0, scale=1, unit="s"
    )
    yield Figure(f"the same, {name}", number / seconds, "events a second")


def _paths(name: str, url: str, leaves: int) -> Iterator[Figure]:
    with closing(open_log_tree(url)) as tree:
        _grow(tree, leaves)
        chance = Random(1)
        path = each(lambda: _path(tree, chance.randrange(leaves), leaves), 20)
        root = each(lambda: root_of(build_tree_reader(tree.tile), 0, leaves), 20)
    yield compared(f"a path of {leaves:,} entries, {name}", path, "2 ms", 0.002, goal=1.0, scale=1e3, unit="ms")
    yield Figure(f"the root over them, {name}", root * 1e3, "ms")


def _path(tree: LogTree, leaf: int, size: int) -> tuple[bytes, ...]:
    """As a proof has it made."""
    tiles = tree.tiles(list_tiles_of_leaf(leaf, size))
    return inclusion_path(build_tree_reader(lambda level, index: tiles.get((level, index)) or tree.tile(level, index)), leaf, size)


def _grow(tree: LogTree, leaves: int) -> None:
    """Entries that stand for any."""
    tree.begin(1)
    for size in range(0, leaves, _AT_ONCE):
        places = range(size, min(size + _AT_ONCE, leaves))
        marks = [urandom(32) for _ in places]
        with tree.lock() as held:
            held.append(grow_tiles(tree.tile, size, marks), [Leaf(at, UUID(int=at), 1, at) for at in places], places[-1])


def _files(moves: int, times: int) -> Iterator[Figure]:
    log, history = Log(), recorded(islice(played(1, "casino", {}, 2, hands=100), moves + 2))
    last, steps = log.add(*history), list(GamePast(lambda after, limit: history[after : after + limit]).steps(0, len(history)))
    told = f"of {len(history)} events"
    keys = [single_file.read_key(str(key)) for key in (LOG.key, TOLD.key)]
    works: dict[str, Callable[[], ProofFile]] = {
        "record": lambda: record(log, history, last),
        "view": lambda: view_of(steps, "seat:0", 0, lambda _: False, lambda _: BLINDING, log.place(last)).add_receipt(
            LOG.key.name, TOLD, bytes(16)
        ),
    }
    for name, make in works.items():
        file = make().as_bytes()
        single_file.verify(file, keys)
        yield compared(f"make a {name} {told}", each(lambda make=make: make().as_bytes(), times), "30 ms", 0.03, 1.0, 1e3, "ms")
        yield Figure(f"its size, a {name} {told}", len(file) / 1e3, "kB", "100 kB", 100.0, len(file) / 1e5, 1.0)
        yield compared(f"verify it, a {name} {told}", each(partial(single_file.verify, file, keys), times), "50 ms", 0.05, 1.0, 1e3, "ms")
