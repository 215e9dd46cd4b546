"""The next entry for a webhook: the feed within its reach, once the projections that decide on the reach have caught up."""

import asyncio
from functools import partial

from api.common.consistency import filter_visible
from api.common.live.change_feed import ResponseCoalescer
from api.http.request import Principal
from api.services import Services
from domain.access import visibility_within
from domain.journal.epochs import common_sequence
from domain.journal.feed import FeedPage, both, feed_page, of_tournament, topics_of
from domain.journal.webhooks import Webhook
from projections.models.game_index import GAME_INDEX
from projections.models.player_places import APPEARANCES
from projections.models.players import PLAYERS
from projections.models.tournaments import TOURNAMENTS

_ASKED = (TOURNAMENTS.name, GAME_INDEX.name, APPEARANCES.name, PLAYERS.name)
_PATIENCE = 2.0  # seconds of one wait for a projection


def principal_of(webhook: Webhook) -> Principal:
    return Principal(webhook.principal, webhook.role, webhook.grant, webhook.expires_at)


class Source:
    def __init__(self, services: Services) -> None:
        self._services = services
        self._shared = ResponseCoalescer()

    async def place(self, webhook: Webhook) -> tuple[str, int]:
        """Return the present epoch, and the sequence in it up to which everything is sent; after another epoch, the sequence that both have
        in common.
        """
        store = self._services.journal.store
        present, done = store.epoch.id, max(webhook.sequence, webhook.passed)
        if webhook.epoch == present:
            return present, done
        common = common_sequence(await asyncio.to_thread(store.epochs), webhook.epoch)
        return present, 0 if common is None else min(common, done)

    async def next(self, webhook: Webhook, after: int, head: int) -> FeedPage | None:
        """Return a page of one entry up to ``head``, or of none; ``None`` while it is not known yet what the webhook may see: nothing is
        skipped then.

        Webhooks with equal filters share one look.
        """
        if head <= after:
            return FeedPage((), after)
        if not await self._has_caught_up(head):
            return None
        question = (self._services.journal.store.epoch.id, webhook.chosen, visibility_within(webhook.grant.scope), after, head)
        page: FeedPage | None = await self._shared.once(question, partial(asyncio.to_thread, self._page, webhook, after, head))
        return page

    async def read_entry(self, webhook: Webhook, sequence: int) -> FeedPage | None:
        """Return the page with the entry of one sequence."""
        if not await self._has_caught_up(sequence):
            return None
        return await asyncio.to_thread(self._page, webhook, sequence - 1, sequence)

    async def _has_caught_up(self, head: int) -> bool:
        wait = partial(self._services.projector.wait_for_async, head, _PATIENCE)
        return all([await wait(name) for name in _ASKED])

    def _page(self, webhook: Webhook, after: int, until: int) -> FeedPage:
        chosen = webhook.chosen
        topics = tuple(topic for name in chosen.events for topic in topics_of(name))
        within = filter_visible(self._services.store, visibility_within(webhook.grant.scope))
        among = both(within, None if chosen.tournament is None else of_tournament(chosen.tournament))
        return feed_page(self._services.journal.store, chosen.kind, topics, after, until, 1, game=chosen.game, among=among)
