"""The state view of Cascades, from a whole or a masked table."""

from typing import Any

from domain.games.cascades.legal import legal_moves
from domain.games.cascades.score import counts, hand_rows
from domain.games.cascades.table import THREE, CascadesTable
from domain.rules import stock_view


def hands(_: object, cascades: CascadesTable) -> dict[str, Any]:
    """Beside the common fields, also before the first hand (COM-30)."""
    return stock_view(cascades.table)


def view(_: object, cascades: CascadesTable) -> dict[str, Any]:
    """What lies on the table once a hand was dealt (COM-31)."""
    return {**_lying(cascades), **_standing(cascades)}


def _lying(cascades: CascadesTable) -> dict[str, Any]:
    reserve, opened = cascades.reserve, cascades.open_piles
    return {
        "tiers": cascades.tiers,
        "bases": cascades.bases,
        "reserve": reserve,
        "reserve_open": opened,
        "reserve_counts": [len(pile) for pile in reserve],
        "reserve_tops": [reserve[pile][-1] if opened[pile] and reserve[pile] else None for pile in THREE],
        "waste": cascades.waste,
        "waste_top": cascades.waste[-1] if cascades.waste else None,
        "waste_count": len(cascades.waste),
    }


def _standing(cascades: CascadesTable) -> dict[str, Any]:
    score = cascades.table.score
    won = score.places == (1,)
    return {
        "result": ("won" if won else "lost") if score.hands else None,
        "end": score.hands[-1].end if score.hands else None,
        "pass": cascades.pass_number,
        "passes_allowed": cascades.passes_allowed,
        "turns": cascades.turns,
        "legal_moves": list(legal_moves(None, cascades, 0)) if cascades.table.in_hand else [],
        "tally": {**hand_rows(cascades), **counts(cascades, won=won)},
    }
