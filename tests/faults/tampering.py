"""Kinds of tampering by SQL, the triggers dropped, in a store that a log has signed: each is found by the rules, or by the log alone."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, TypeAlias
from uuid import UUID

import msgspec

from domain import codec
from tests.deploy.serving import run
from tests.faults.scene import Finding
from tests.faults.stores import Tampered, on_postgres, on_sqlite

Change: TypeAlias = Callable[[dict[str, Any]], object]


_MIDDLE = """
    SELECT sequence FROM events e
    WHERE topic LIKE ? AND EXISTS (
        SELECT 1 FROM events f WHERE f.originator_id = e.originator_id AND f.originator_version = e.originator_version + 1
    )
    ORDER BY sequence
"""


def _of(store: Tampered, name: str, number: int = 0) -> int:
    """The sequence of an event of that name in the middle of its stream: others follow."""
    return _all_of(store, name)[number]


def _all_of(store: Tampered, name: str) -> list[int]:
    return [sequence for (sequence,) in store.execute(_MIDDLE, f"{name}/%")]


def _last(store: Tampered) -> int:
    """The last event of the first game."""
    [(sequence,)] = store.execute(
        "SELECT max(sequence) FROM events WHERE originator_id = (SELECT originator_id FROM events WHERE topic LIKE 'move.played/%'"
        " ORDER BY sequence LIMIT 1)"
    )
    return int(sequence)


def _body(store: Tampered, sequence: int) -> dict[str, Any]:
    body: dict[str, Any] = _stored(store, sequence)["body"]
    return body


def _stored(store: Tampered, sequence: int) -> dict[str, Any]:
    [(state,)] = store.execute("SELECT state FROM events WHERE sequence = ?", sequence)
    return msgspec.json.decode(bytes(state), type=dict[str, Any])


def _rewrite(store: Tampered, sequence: int, change: Change) -> None:
    stored = _stored(store, sequence)
    change(stored)
    store.execute("UPDATE events SET state = ? WHERE sequence = ?", msgspec.json.encode(stored), sequence)


def _replace(name: str, change: Change, number: int = 0) -> Callable[[Tampered], object]:
    """The body of an event of that name, changed."""
    return lambda store: _rewrite(store, _of(store, name, number), lambda stored: change(stored["body"]))


def _stamped(name: str, **values: object) -> Callable[[Tampered], object]:
    return lambda store: _rewrite(store, _of(store, name, 7), lambda stored: stored.update(values))


def a_result_turned_round(store: Tampered) -> None:
    won = next(sequence for sequence in _all_of(store, "result.entered") if len(set(_body(store, sequence)["points"])) > 1)
    _rewrite(store, won, lambda stored: stored["body"]["points"].reverse())


def an_event_dropped(name: str) -> Callable[[Tampered], object]:
    return lambda store: store.execute("DELETE FROM events WHERE sequence = ?", _of(store, name, 7))


def two_games_swapped(store: Tampered) -> None:
    """Every event of one game under the id of another."""
    (one,), (other,) = store.execute("SELECT originator_id FROM events WHERE topic LIKE 'game.opened/%' ORDER BY sequence LIMIT 2")
    spare = bytes(16) if isinstance(other, bytes) else "00000000-0000-4000-8000-000000000000"
    for old, new in ((one, spare), (other, one), (spare, other)):
        store.execute("UPDATE events SET originator_id = ? WHERE originator_id = ?", new, old)


def two_moves_swapped(store: Tampered) -> None:
    first, second = _all_of(store, "move.played")[7:9]
    (one,), (other,) = (store.execute("SELECT state FROM events WHERE sequence = ?", sequence)[0] for sequence in (first, second))
    store.execute("UPDATE events SET state = ? WHERE sequence = ?", other, first)
    store.execute("UPDATE events SET state = ? WHERE sequence = ?", one, second)


def a_move_of_another_game(store: Tampered) -> None:
    """Its bytes lie where another game's move lay."""
    moves = _all_of(store, "move.played")
    [(state,)] = store.execute("SELECT state FROM events WHERE sequence = ?", moves[-1])
    store.execute("UPDATE events SET state = ? WHERE sequence = ?", state, moves[7])


def another_name(store: Tampered) -> None:
    store.execute("UPDATE events SET topic = 'move.dreamt/1' WHERE sequence = ?", _of(store, "move.played", 7))


def no_json(store: Tampered) -> None:
    store.execute("UPDATE events SET state = ? WHERE sequence = ?", b"\x00\xff nonsense", _of(store, "move.played", 7))


def a_text_reworded(store: Tampered) -> None:
    [(id,)] = store.execute("SELECT id FROM texts WHERE body IS NOT NULL ORDER BY id LIMIT 1")
    store.execute("UPDATE texts SET body = 'He did not do it.' WHERE id = ?", id)


def a_snapshot_changed(store: Tampered) -> None:
    """Every digit of the newest that there is, raised by one."""
    [(game, position, state)] = store.execute("SELECT game, position, state FROM snapshots ORDER BY position DESC LIMIT 1")
    changed = bytes(state).translate(bytes.maketrans(b"0123456789", b"1234567890"))
    store.execute("UPDATE snapshots SET state = ? WHERE game = ? AND position = ?", changed, game, position)


def the_tail_cut_off(store: Tampered) -> None:
    store.execute("DELETE FROM events WHERE sequence = ?", _last(store))


def a_game_removed(store: Tampered) -> None:
    store.execute("DELETE FROM events WHERE originator_id = (SELECT originator_id FROM events WHERE sequence = ?)", _last(store))


def the_last_principal(store: Tampered) -> None:
    _rewrite(store, _last(store), lambda stored: stored.update(by="p_somebody"))


def a_player_into_another(store: Tampered) -> None:
    """Registered under another id than the stream is of; there is no event after it."""
    [(sequence,)] = store.execute("SELECT min(sequence) FROM events WHERE topic LIKE 'player.registered/%'")
    _rewrite(store, sequence, lambda stored: stored["body"].update(player="somebody-else"))


def a_history_written_anew(store: Tampered) -> None:
    """Another principal in a whole game, and every link anew."""
    game, rows, before = None, store.execute(_WHOLE_GAME), None
    for sequence, id, position, name, state in rows:
        game = game or (UUID(bytes=id) if isinstance(id, bytes) else id)
        stored = {**msgspec.json.decode(bytes(state)), "by": "p_somebody"}
        before = msgspec.json.encode({**stored, "link": codec.expected_link(game, position, name, before, bound=True)})
        store.execute("UPDATE events SET state = ? WHERE sequence = ?", before, sequence)


_WHOLE_GAME = """
    SELECT sequence, originator_id, originator_version, topic, state FROM events
    WHERE originator_id = (SELECT originator_id FROM events WHERE topic LIKE 'game.opened/%' ORDER BY sequence LIMIT 1)
    ORDER BY originator_version
"""


def the_points_of_a_last_result(store: Tampered) -> None:
    [(sequence,)] = store.execute("SELECT max(sequence) FROM events WHERE topic LIKE 'result.entered/%'")
    store.execute("DELETE FROM events WHERE sequence > ?", sequence)
    _rewrite(store, sequence, lambda stored: stored["body"]["points"].reverse())


KINDS: dict[str, Callable[[Tampered], object]] = {
    "the winner of a result turned round": a_result_turned_round,
    "other tables in a round that was drawn": _replace("round.paired", lambda body: body["tables"].reverse()),
    "a round that was drawn said to be given by hand": _replace("round.paired", lambda body: body.update(drawn=not body["drawn"])),
    "another seed of the draw": _replace("tournament.announced", lambda body: body.update(seed=body["seed"][::-1])),
    "a tie-break less": _replace("tournament.announced", lambda body: body["tie_breaks"].pop()),
    "another player in an entry": _replace("entry.accepted", lambda body: body["players"].__setitem__(0, "somebody-else")),
    "an entry dropped": an_event_dropped("entry.accepted"),
    "a round closed dropped": lambda store: store.execute("DELETE FROM events WHERE sequence = ?", _of(store, "round.closed")),
    "a player registered under another id": a_player_into_another,
    "two whole games swapped": two_games_swapped,
    "two moves swapped": two_moves_swapped,
    "a move dropped": an_event_dropped("move.played"),
    "a move of another game": a_move_of_another_game,
    "another seat in a move": _replace("move.played", lambda body: body.update(seat=1 - body["seat"] % 2), 7),
    "an effect of a move dropped": _replace("move.played", lambda body: body["effects"].pop(), 7),
    "another principal": _stamped("move.played", by="p_somebody"),
    "another time": _stamped("move.played", at="2020-01-01T00:00:00Z"),
    "no link": _stamped("move.played", link=None),
    "another name of an event": another_name,
    "bytes that are no JSON": no_json,
    "another dealer": _replace("hand.dealt", lambda body: body.update(dealer=1 - body["dealer"] % 2)),
    "other points in an adjustment": _replace("points.adjusted", lambda body: body.update(points=body["points"] + 1)),
    "a text reworded": a_text_reworded,
    "a snapshot changed": a_snapshot_changed,
}
"""What the rules and the chains of digests find by themselves."""

BY_THE_LOG: dict[str, Callable[[Tampered], object]] = {
    "the last event of a game cut off": the_tail_cut_off,
    "a whole game removed": a_game_removed,
    "the principal of a last event": the_last_principal,
    "a history written anew with all its links": a_history_written_anew,
    "everything behind a result cut off, and its points": the_points_of_a_last_result,
}
"""What only the log finds."""


def findings() -> Iterator[Finding]:
    for database, stores in (("SQLite", on_sqlite), ("PostgreSQL", on_postgres)):
        with stores() as copied:
            with copied() as whole:
                seen = _audited(whole)
                yield Finding(f"{database}: nothing changed", seen.told, not seen.by_rules and not seen.by_log)
            for name, change in {**KINDS, **BY_THE_LOG}.items():
                with copied() as store:
                    change(store)
                    seen = _audited(store)
                yield Finding(f"{database}: {name}", seen.told, seen.by_rules if name in KINDS else seen.by_log)


class Seen(NamedTuple):
    """What the audit found first, and whether its rules found something, and its log."""

    told: str
    by_rules: bool
    by_log: bool


def _audited(store: Tampered) -> Seen:
    finished = run("audit", "--all", "--json", *store.arguments)
    assert finished.returncode in (0, 1), finished.stderr
    wrong = [one for line in finished.stdout.splitlines() if (one := msgspec.json.decode(line))["verdict"] != "sound"]
    of_the_log = [one for one in wrong if one.get("kind") == "log"]
    found = [*(one["divergences"] for one in wrong if "divergences" in one), *(one["differences"] for one in of_the_log)]
    first = next((str(one[0]) for one in found if one), "nothing")
    return Seen(first[:90], len(wrong) > len(of_the_log), bool(of_the_log))
