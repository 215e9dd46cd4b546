"""What the API works with. ``deploy/compose.py`` builds it; nothing here knows which database lies underneath."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from domain.cards import Card
from domain.journal.application import Journal
from domain.journal.registers import Registers
from domain.rules import Rulesets
from projections.engine.projector import Projector
from projections.engine.store import Store
from replay.editions import Editions


@dataclass(frozen=True, slots=True)
class Limits:
    """``burst`` requests in a row, then ``per_second`` steadily; ``None``: no limit. Officials have none."""

    per_second: float | None = 50.0
    burst: int = 200


@dataclass(frozen=True, slots=True)
class Services:
    """The parts of one running service. Time, ids and chance come from here."""

    journal: Journal
    rulesets: Rulesets
    store: Store
    projector: Projector
    registers: Registers
    clock: Callable[[], datetime]
    new_id: Callable[[], UUID]
    new_salt: Callable[[], bytes]
    shuffle: Callable[[Sequence[Card]], tuple[Card, ...]]
    editions: Editions
    limits: Limits = Limits()
