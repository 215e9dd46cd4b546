"""The lots of a tournament: their commitment in the announcement, and the input of the first pairing."""

import asyncio

from msgspec import UNSET

from api.common.lists import LotsFrom
from api.common.secrets import keep_secret, new_secret
from api.http.request import Request, services_of
from api.tournaments.requests import AnnounceTournament, PairRound
from api.tournaments.responses import LotsView
from domain.errors import Refused
from domain.events.tournament import LotsBound, TournamentAnnounced
from domain.shuffling import commitment_to_lots, format_commitment
from domain.tournament.tally import Drawing, are_required
from domain.tournament.tournament import Tournament


def lots_of(request: Request, body: AnnounceTournament) -> tuple[LotsBound | str, bytes]:
    """Return a seed in the open, or the commitment of the lots; and the secret that is kept for them. Raises ``Refused``."""
    secret = new_secret(services_of(request))
    if body.seed is None:
        return LotsBound(commitment_to_lots(secret), body.dice), secret
    if body.dice:
        raise Refused("dice_with_seed")
    return body.seed, secret


async def keep_for_lots(request: Request, plan: TournamentAnnounced, secret: bytes) -> None:
    """Store the secret, before the announcement is recorded."""
    if plan.lots is not UNSET:
        await keep_secret(request, plan.lots.commitment, secret)


async def drawing_of(request: Request, now: Tournament, body: PairRound) -> Drawing:
    """Return the input of a pairing for the lots. The secret is fetched only for the pairing that draws them."""
    bound = now.plan.lots
    if bound is UNSET or not are_required(now):
        return Drawing(None, body.dice, body.seed)
    secret = await asyncio.to_thread(services_of(request).registers.find_secret, bound.commitment)
    return Drawing(secret, body.dice, body.seed)


def lots_view(now: Tournament) -> LotsView:
    bound, drawn = now.plan.lots, now.lots
    commitment = None if bound is UNSET else bound.commitment
    return LotsView(
        how=_lots_source(now),
        commitment=commitment,
        digits=None if commitment is None else format_commitment(bytes.fromhex(commitment)),
        dice=0 if bound is UNSET else bound.dice,
        thrown=drawn.dice if drawn else None,
        secret=drawn.secret if drawn else None,
        unpaired=now.unpaired,
    )


def _lots_source(now: Tournament) -> LotsFrom:
    if now.lots:
        return "given" if now.lots.secret is None else "drawn"
    return "bound" if are_required(now) else "open"
