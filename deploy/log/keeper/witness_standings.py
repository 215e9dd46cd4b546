"""How it stands with the witnesses that are named, as it looks to who does not ask them."""

from collections.abc import Sequence

from replay.proof.cosignatures import Cosignatures, Standing
from replay.proof.named_witnesses import NamedWitness


def standings_of(cosignatures: Cosignatures, witnesses: Sequence[NamedWitness]) -> list[Standing]:
    """One for each of them, also where it was never asked. Raises ``Unavailable``."""
    if not witnesses:
        return []
    known = {one.key: one for one in cosignatures.standings()}
    return [known.get(one.key, Standing(one.key)) for one in witnesses]
