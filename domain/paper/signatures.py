"""Who signed which score sheet, folded from the events. What was signed is known by its digest, so it may become that sheet again.

Total like every fold: a signature that cannot have been given (damaged history) is kept as it was recorded.
"""

from msgspec import Struct
from msgspec.structs import replace

from domain.events import Recorded
from domain.events.game import SheetSigned
from domain.paper.digests import sheet_digest
from domain.score import Score, sheet, totals
from domain.setup import Setup


class Signature(Struct, frozen=True, gc=False):
    """A party signed the sheet as it was at the position ``sheet``, with these ``totals``; ``position`` is that of the event.

    ``changed_at``: the first position since at which the sheet was another, as long as it is not the one that was signed.
    """

    party: int
    position: int
    sheet: int
    digest: str
    totals: tuple[int, ...]
    changed_at: int | None = None


def signatures_after(
    signatures: tuple[Signature, ...], recorded: Recorded, setup: Setup, before: Score, after: Score
) -> tuple[Signature, ...]:
    """After one more event, which led from one score to another."""
    event, position = recorded.event, recorded.position
    if isinstance(event, SheetSigned):
        return (*signatures, Signature(event.party, position, event.position, event.digest, totals(setup, before)))
    if not signatures or _on_sheet(before) == _on_sheet(after):
        return signatures
    now = sheet_digest(sheet(setup, after))
    return tuple(replace(one, changed_at=None if one.digest == now else one.changed_at or position) for one in signatures)


def _on_sheet(score: Score) -> Score:
    """Without the hand in progress, which stands on no sheet yet."""
    return replace(score, hand=0, dealer=None, lines=())
