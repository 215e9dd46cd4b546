"""Audits through a server: of all that the token may see."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Literal
from urllib.parse import quote

import msgspec
from msgspec import Struct

from deploy.cli.journal import game_ids
from replay.findings import Audit, StreamAudit

if TYPE_CHECKING:
    from deploy.cli.client import Remote


class NotTold(Struct, frozen=True):
    """An audit that this token may not read."""

    kind: Literal["game", "tournament", "player"]
    id: str
    verdict: Literal["not_told"] = "not_told"


def audits_there(remote: "Remote", games: Sequence[str], tournament: str | None) -> Iterator[Audit | StreamAudit | NotTold]:
    """Raises ``Failure`` with the server's words, ``Unknown`` for what cannot be the id of a game."""
    if games:
        yield from (_game(remote, str(id)) for id in game_ids(games))
    elif tournament is not None:
        yield from (_game(remote, str(id)) for id in remote.games(tournament=tournament))
        yield _stream(remote, "tournament", tournament)
    else:
        yield from (_game(remote, str(id)) for id in remote.games())
        for kind in ("tournament", "player"):
            yield from (_stream(remote, kind, id) for id in remote.ids(f"{kind}s"))


def _game(remote: "Remote", id: str) -> Audit | NotTold:
    body = remote.audit_of("games", id)
    return NotTold("game", id) if body is None else msgspec.json.decode(body, type=Audit)


def _stream(remote: "Remote", kind: Literal["tournament", "player"], id: str) -> StreamAudit | NotTold:
    body = remote.audit_of(f"{kind}s", quote(id, safe=""))
    return NotTold(kind, id) if body is None else msgspec.json.decode(body, type=StreamAudit)
