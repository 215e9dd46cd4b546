"""The service of a recorded evening. Of all modules here only this one knows the product: another version needs another one of these."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from api.http.request import part_of
from api.services import Limits, Rate, Services
from deploy.compose import open_services
from deploy.config.settings import Settings
from domain.access import Grant
from domain.journal.access_audit import TokenUses
from domain.journal.sessions import Token
from tests.api.conftest import app_of
from tests.deploy.stores.stores import sql_of
from tests.evening.book import EVERYBODY, secret_of
from tests.evening.chance import Chance
from tests.kept_log import Kept, kept_log
from tests.migrated import migrated_file

_PATIENCE = 300.0  # seconds for an answer, on however slow a machine
_BOUNDLESS = Rate(None, 1)
_NO_LIMIT = Limits(per_second=None, by_address=_BOUNDLESS, answer=_PATIENCE)
_EPOCH = "e" * 16
_THREE = Limits(per_second=1e-18, burst=3, by_address=_BOUNDLESS, answer=_PATIENCE)  # so slowly that no machine is slow enough for a fourth


@dataclass(frozen=True)
class Service:
    """An ASGI application whose lifespan has not begun; ``settle`` waits until all that was recorded can be read."""

    app: Any
    settle: Callable[[], Awaitable[None]]


@contextmanager
def opened(folder: Path, database_url: str | None, chance: Chance, *, limited: bool, players: tuple[str, ...] = ()) -> Iterator[Service]:
    """With a token for each role, and for each of these players. ``limited``: a viewer may ask three times only."""
    settings = Settings(data=folder, database_url=database_url)
    if settings.embedded and not settings.journal_file.exists():
        migrated_file(settings.journal_file)
    with open_services(
        settings, alone=settings.embedded, migrate_too=True, clock=chance.now, new_id=chance.new_id, shuffle=chance.shuffled
    ) as services:
        sql_of(services.journal.store).change("UPDATE epochs SET id = ?", (_EPOCH,))  # else a random one
        for role in () if services.registers.list_tokens() else EVERYBODY[2:]:
            hashed = sha256(secret_of(role).encode()).hexdigest()
            services.registers.add_token(Token(f"t_{role}", hashed, f"p_{role}", role, role, "2026-11-21T00:00:00Z"))
        for player in players:
            hashed = sha256(secret_of(player).encode()).hexdigest()
            grant = Grant(player=player)
            services.registers.add_token(Token(f"t_{player}", hashed, f"p_{player}", "player", player, "2026-11-21T00:00:00Z", None, grant))
        with kept_log(settings, services) as kept:
            known = replace(services, limits=_THREE if limited else _NO_LIMIT, new_salt=chance.new_salt, log=kept.log)
            with app_of(known) as app:
                yield Service(app, lambda: _settled(known, kept, part_of(app, TokenUses)))


async def _settled(services: Services, kept: Kept, uses: TokenUses) -> None:
    await asyncio.to_thread(kept.sign)
    await uses.flush()
    if not await services.projector.wait_for_async(services.journal.head(), 60.0):
        raise RuntimeError("the projections do not follow")
