"""The independent checker: the tie-break server of the FIDE Technical Commission's programmer, package ``gacrux``.

Results are translated into its form, duels only. Scores are two for a win, as here; its own rules of 1 March 2026 apply.
"""

from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any

from gacrux.tiebreak import tiebreak

from domain.standings.plan import Bye, Outcome

_SCORES = {"W": Decimal(2), "D": Decimal(1), "L": Decimal(0), "Z": Decimal(0), "P": Decimal(2), "U": "W", "F": "W", "H": "D", "A": "Z"}


def checked(
    size: int, outcomes: Iterable[Outcome], byes: Iterable[Bye], tie_breaks: Sequence[str], *, round_robin: bool = False
) -> dict[int, tuple[int, list[Decimal]]]:
    """By entrant the place and the figures, the score first. ``tie_breaks`` in the checker's words: ``DE``, ``BH/C1``, ``SB``."""
    games = [_game(number, outcome) for number, outcome in enumerate(outcomes, 1)]
    games += [
        {"id": -bye.entrant, "round": bye.round, "played": False, "white": {"cid": bye.entrant, "result": "W"}, "black": {"cid": 0}}
        for bye in byes
    ]
    rounds = max(game["round"] for game in games)
    tournament = {
        "tournamentType": "RR" if round_robin else "SWISS",
        "numRounds": rounds,
        "currentRound": rounds,
        "scoreSystem": {"game": _SCORES},
        "competitors": [{"cid": number, "random": number} for number in range(1, size + 1)],
        "gameList": games,
    }
    wanted = {"tiebreak": ["PTS", *tie_breaks], "check": False}
    server = tiebreak(tournament, rounds, {"pre_determined": round_robin, "swiss": not round_robin})
    found = server.compute_tiebreaks(tournament, wanted)["competitors"]
    return {one["cid"]: (one["rank"], one["tiebreakScore"]) for one in found}


def _game(number: int, outcome: Outcome) -> dict[str, Any]:
    (one,), (other,) = outcome.parties
    if outcome.how == "forfeited":
        letters = tuple("L" if who in outcome.absent else "W" for who in (one, other))
    else:
        mine, theirs = outcome.points or (0, 0)
        letters = ("W", "L") if mine > theirs else ("L", "W") if mine < theirs else ("D", "D")
    white, black = ({"cid": cid, "result": letter} for cid, letter in zip((one, other), letters, strict=True))
    return {"id": number, "round": outcome.round, "played": outcome.how != "forfeited", "white": white, "black": black}
