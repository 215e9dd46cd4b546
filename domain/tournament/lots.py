"""Lots that nobody can try out: the service is bound to a secret from the announcement on. With the first pairing it is told, and mixed
with the entries, and with dice where some were promised.

Once the lots are drawn their seed stays, also where the first round is unpaired.
"""

from collections.abc import Sequence

from msgspec import UNSET, Struct

from domain.errors import Refused
from domain.events.tournament import LotsBound, LotsDrawn
from domain.shuffling.dice import check_dice
from domain.shuffling.lots import commitment_to_lots, seed_of_lots
from domain.tournament.tournament import Tournament, after_lots


class Drawing(Struct, frozen=True):
    """What a pairing brings for the lots: the secret, if the register has it, the dice as they were typed, and a seed where the secret
    was lost.
    """

    secret: bytes | None = None
    dice: str | None = None
    seed: str | None = None


def are_due(tournament: Tournament) -> bool:
    """Whether the next pairing draws the lots. Until then nothing may follow from them."""
    return not tournament.plan.seed


def draw_if_due(tournament: Tournament, drawing: Drawing) -> tuple[LotsDrawn, ...]:
    """What is recorded before the pairing. Raises ``Refused``, also where nothing is to be drawn any more and something was brought."""
    if are_due(tournament):
        return (draw_lots(tournament, drawing),)
    if drawing.dice is not None or drawing.seed is not None:
        raise Refused("lots_drawn")
    return ()


def with_lots(tournament: Tournament, drawn: Sequence[LotsDrawn]) -> Tournament:
    """The tournament as it is paired then."""
    return after_lots(tournament, drawn[0]) if drawn else tournament


def draw_lots(tournament: Tournament, drawing: Drawing) -> LotsDrawn:
    """Raises ``Refused``."""
    tournament.check_open()
    if not are_due(tournament):
        raise Refused("lots_drawn")
    bound = tournament.plan.lots
    if bound is UNSET or drawing.secret is None:
        return _given(drawing)
    if commitment_to_lots(drawing.secret) != bound.commitment:
        raise Refused("lots_secret_does_not_fit")
    if drawing.seed is not None:
        raise Refused("lots_are_bound")
    _check_dice(bound, drawing.dice)
    entries = [(one.number, one.line_ups[-1].players) for one in tournament.entrants]
    seed = seed_of_lots(drawing.secret, tournament.id, entries, drawing.dice or "")
    return LotsDrawn(seed, drawing.secret.hex(), drawing.dice)


def _given(drawing: Drawing) -> LotsDrawn:
    if drawing.seed is None:
        raise Refused("lots_secret_lost")
    if drawing.dice is not None:
        raise Refused("dice_with_seed")
    return LotsDrawn(drawing.seed, None, None)


def _check_dice(bound: LotsBound, dice: str | None) -> None:
    if dice is None and bound.dice:
        raise Refused("lots_need_dice", dice=bound.dice)
    if dice is not None and not bound.dice:
        raise Refused("lots_without_dice")
    if dice is not None:
        check_dice(dice, bound.dice)
