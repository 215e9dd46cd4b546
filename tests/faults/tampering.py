"""Kinds of tampering by SQL, the triggers dropped: each is named by the audit, or by docs/audit.md as what it cannot find."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import msgspec

from tests.deploy.serving import run
from tests.faults.scene import Finding
from tests.faults.stores import Copies, Tampered, on_postgres, on_sqlite

DOCS = Path(__file__).parents[2] / "docs" / "audit.md"


Change: TypeAlias = Callable[[dict[str, Any]], object]


class Kind(NamedTuple):
    """``docs``: words of docs/audit.md that name it, if the audit cannot find it."""

    change: Callable[[Tampered], object]
    docs: str | None = None


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
    spare = other[:-1] + b"\xff" if isinstance(other, bytes) else "00000000-0000-4000-8000-000000000000"
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


KINDS: dict[str, Kind] = {
    "the winner of a result turned round": Kind(a_result_turned_round),
    "other tables in a round that was drawn": Kind(_replace("round.paired", lambda body: body["tables"].reverse())),
    "a round that was drawn said to be given by hand": Kind(_replace("round.paired", lambda body: body.update(drawn=not body["drawn"]))),
    "another seed of the draw": Kind(_replace("tournament.announced", lambda body: body.update(seed=body["seed"][::-1]))),
    "a tie-break less": Kind(_replace("tournament.announced", lambda body: body["tie_breaks"].pop())),
    "another player in an entry": Kind(_replace("entry.accepted", lambda body: body["players"].__setitem__(0, "somebody-else"))),
    "an entry dropped": Kind(an_event_dropped("entry.accepted")),
    "a round closed dropped": Kind(lambda store: store.execute("DELETE FROM events WHERE sequence = ?", _of(store, "round.closed"))),
    "a player registered under another id": Kind(a_player_into_another),
    "two whole games swapped": Kind(two_games_swapped),
    "two moves swapped": Kind(two_moves_swapped),
    "a move dropped": Kind(an_event_dropped("move.played")),
    "a move of another game": Kind(a_move_of_another_game),
    "another seat in a move": Kind(_replace("move.played", lambda body: body.update(seat=1 - body["seat"] % 2), 7)),
    "an effect of a move dropped": Kind(_replace("move.played", lambda body: body["effects"].pop(), 7)),
    "another principal": Kind(_stamped("move.played", by="p_somebody")),
    "another time": Kind(_stamped("move.played", at="2020-01-01T00:00:00Z")),
    "no link": Kind(_stamped("move.played", link=None)),
    "another name of an event": Kind(another_name),
    "bytes that are no JSON": Kind(no_json),
    "another dealer": Kind(_replace("hand.dealt", lambda body: body.update(dealer=1 - body["dealer"] % 2))),
    "other points in an adjustment": Kind(_replace("points.adjusted", lambda body: body.update(points=body["points"] + 1))),
    "a text reworded": Kind(a_text_reworded),
    "a snapshot changed": Kind(a_snapshot_changed),
    "the last event of a game cut off": Kind(the_tail_cut_off, "events cut off at the end"),
    "a whole game removed": Kind(a_game_removed, "a whole game removed"),
    "the principal of a last event": Kind(the_last_principal, "of the **last** event"),
}


def findings() -> Iterator[Finding]:
    docs = " ".join(DOCS.read_text().split())
    for database, stores in (("SQLite", on_sqlite), ("PostgreSQL", on_postgres)):
        with stores() as copied:
            with copied() as whole:
                yield Finding(f"{database}: nothing changed", *_audited(whole, 0))
            for name, kind in KINDS.items():
                yield _tampered(copied, f"{database}: {name}", kind, docs)


def _tampered(copied: Copies, name: str, kind: Kind, docs: str) -> Finding:
    with copied() as store:
        kind.change(store)
        seen, held = _audited(store, 1)
    if kind.docs is None or held:
        return Finding(name, seen, held)
    return Finding(name, "not found, as docs/audit.md says", kind.docs in docs)


def _audited(store: Tampered, code: int) -> tuple[str, bool]:
    """The first line that is not sound, and whether the audit ended with this code."""
    finished = run("audit", "--all", *store.arguments)
    lines = finished.stdout.splitlines()
    first = next((line.strip() for line in lines if not line.startswith("✓")), "nothing")
    where = next((line.strip() for line in lines if line.startswith("    ")), "")
    return (f"{first} {where}"[:90] if finished.returncode in (0, 1) else finished.stderr[:200]), finished.returncode == code
