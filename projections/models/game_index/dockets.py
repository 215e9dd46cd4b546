"""The dockets of games in which officials did something: few games, hence a table of its own."""

import msgspec

from domain.dispute import Docket, docket_after
from domain.events import Recorded
from domain.events.game import CardsTold, GameOpened, GameRewound, HandDealt, HandReported, MovePlayed
from projections.engine.store import Tx, rows_among

_DOCKET = msgspec.json.Decoder(Docket)
_JSON = msgspec.json.Encoder(order="deterministic")  # a docket holds sets, which have no order of their own
_SELECT = "SELECT game, docket FROM game_index_dockets WHERE game IN"
_UPSERT = "INSERT INTO game_index_dockets (game, docket) VALUES (?, ?) ON CONFLICT (game) DO UPDATE SET docket = excluded.docket"
TABLES = {"game_index_dockets": ("CREATE TABLE game_index_dockets (game TEXT PRIMARY KEY, docket TEXT NOT NULL)",)}


def advance_dockets(tx: Tx, games: dict[str, list[tuple[int, Recorded]]]) -> dict[str, Docket]:
    """The dockets of the games in which officials did something, after these events."""
    acts = {game: [recorded for _, recorded in events if _is_act(recorded)] for game, events in games.items()}
    acted = {game: events for game, events in acts.items() if events}
    if not acted:
        return {}
    known = {str(game): _DOCKET.decode(str(docket)) for game, docket in rows_among(tx, _SELECT, acted)}
    for game, events in acted.items():
        docket = known.get(game, Docket())
        for recorded in events:
            docket = docket_after(docket, recorded)
        known[game] = docket
    tx.run_many(_UPSERT, [(game, _JSON.encode(docket).decode()) for game, docket in known.items()])
    return known


_PLAY = frozenset((GameOpened, HandDealt, HandReported, MovePlayed, CardsTold, GameRewound))


def _is_act(recorded: Recorded) -> bool:
    return type(recorded.event) not in _PLAY
