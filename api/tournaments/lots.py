"""The lots of a tournament: what they are bound to, and what the first pairing brings for them."""

import asyncio

from msgspec import UNSET

from api.common.figures import LotsFrom
from api.common.secrets import keep_secret, new_secret
from api.http.request import Request, services_of
from api.tournaments.requests import AnnounceTournament, PairRound
from api.tournaments.responses import LotsView
from domain.errors import Refused
from domain.events.tournament import LotsBound, TournamentAnnounced
from domain.shuffling.decks import spoken
from domain.shuffling.lots import commitment_to_lots
from domain.tournament.lots import Drawing, are_due
from domain.tournament.tournament import Tournament


def lots_of(request: Request, body: AnnounceTournament) -> tuple[LotsBound | str, bytes]:
    """A seed in the open, or what the lots are bound to; and the secret that is kept for them. Raises ``Refused``."""
    secret = new_secret(services_of(request))
    if body.seed is None:
        return LotsBound(commitment_to_lots(secret), body.dice), secret
    if body.dice:
        raise Refused("dice_with_seed")
    return body.seed, secret


async def keep_for_lots(request: Request, plan: TournamentAnnounced, secret: bytes) -> None:
    """Before the announcement is recorded."""
    if plan.lots is not UNSET:
        await keep_secret(request, plan.lots.commitment, secret)


async def drawing_of(request: Request, now: Tournament, body: PairRound) -> Drawing:
    """What a pairing brings. The secret is fetched only for the pairing that draws the lots."""
    bound = now.plan.lots
    if bound is UNSET or not are_due(now):
        return Drawing(None, body.dice, body.seed)
    secret = await asyncio.to_thread(services_of(request).registers.find_secret, bound.commitment)
    return Drawing(secret, body.dice, body.seed)


def lots_view(now: Tournament) -> LotsView:
    bound, drawn = now.plan.lots, now.lots
    commitment = None if bound is UNSET else bound.commitment
    return LotsView(
        how=_how(now),
        commitment=commitment,
        digits=None if commitment is None else spoken(bytes.fromhex(commitment)),
        dice=0 if bound is UNSET else bound.dice,
        thrown=drawn.dice if drawn else None,
        secret=drawn.secret if drawn else None,
        unpaired=now.unpaired,
    )


def _how(now: Tournament) -> LotsFrom:
    if now.lots:
        return "given" if now.lots.secret is None else "drawn"
    return "bound" if are_due(now) else "open"
