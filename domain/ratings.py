"""Ratings of players by the Weng–Lin model (Plackett–Luce) of ``openskill``: one a player and ruleset, from results in their order."""

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import combinations
from math import erf, sqrt
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct

if TYPE_CHECKING:
    from openskill.models import PlackettLuce, PlackettLuceRating

MU, SIGMA, BETA, TAU = 25.0, 25 / 3, 25 / 6, 25 / 300
KAPPA = 0.0001
BASE, SCALE, PROVISIONAL_BELOW = 1500, 40, 10


class RatingParameters(Struct, frozen=True):
    """The parameters of the model, the same for every list. ``tau`` is added to the uncertainty with each game, so that a rating can always
    move; ``base`` and ``scale``: a rating is shown as base + scale · (mu − 3·sigma).
    """

    model: str = "plackett_luce"
    mu: float = MU
    sigma: float = SIGMA
    beta: float = BETA
    kappa: float = KAPPA
    tau: float = TAU
    limit_sigma: bool = False
    base: int = BASE
    scale: int = SCALE
    provisional_below: int = PROVISIONAL_BELOW


PARAMETERS = RatingParameters()


class Rating(Struct, frozen=True, gc=False):
    """The rating of a player after ``games`` games: the strength that is presumed, and its standard deviation."""

    mu: float = MU
    sigma: float = SIGMA
    games: int = 0

    @property
    def ordinal(self) -> float:
        """Return the strength that the player almost certainly has: three deviations below ``mu``."""
        return self.mu - 3 * self.sigma

    @property
    def points(self) -> int:
        """Return the rating as it is shown."""
        return BASE + round(SCALE * self.ordinal)

    @property
    def error(self) -> int:
        """Return the standard deviation in the unit of ``points``: the uncertainty that is shown."""
        return round(SCALE * self.sigma)

    @property
    def is_established(self) -> bool:
        """Return whether the rating rests on enough games; otherwise it is provisional."""
        return self.games >= PROVISIONAL_BELOW


Teams: TypeAlias = Sequence[tuple[Sequence[str], int]]
"""The players of each party, and its place; equal places are a tie."""


class RatingStep(Struct, frozen=True, gc=False):
    """What a game did to the rating of a player. ``expected`` is the place that the ratings before it presumed, ties aside."""

    player: str
    after: Rating
    expected: float
    place: int


class RatingRun:
    """Rates games one after the other. Players who are not known begin with the rating of everybody."""

    def __init__(self, known: Mapping[str, Rating] | None = None) -> None:
        self._model = _load_model()
        self._ratings: dict[str, PlackettLuceRating] = {}
        self._games: dict[str, int] = {}
        for player, rating in (known or {}).items():
            self.set(player, rating)

    def set(self, player: str, rating: Rating) -> None:
        self._ratings[player] = self._model.rating(mu=rating.mu, sigma=rating.sigma)
        self._games[player] = rating.games

    def __contains__(self, player: str) -> bool:
        return player in self._ratings

    def rate_game(self, teams: Teams) -> list[RatingStep]:
        """Rate a game, and return a step for each of its players."""
        for player in (player for players, _ in teams for player in players if player not in self._ratings):
            self.set(player, Rating())
        before = [[self._ratings[player] for player in players] for players, _ in teams]
        expected = _expected_places(before)
        rated = self._model.rate(before, ranks=[float(place) for _, place in teams])
        steps = []
        for (players, place), after, presumed in zip(teams, rated, expected, strict=True):
            for player, one in zip(players, after, strict=True):
                self._ratings[player] = one
                self._games[player] = games = self._games[player] + 1
                steps.append(RatingStep(player, Rating(one.mu, one.sigma, games), presumed, place))
        return steps


def is_rated(teams: Teams) -> bool:
    """Return whether a game can be rated: parties of players who play against each other, nobody twice."""
    players = [player for team, _ in teams for player in team]
    return len(teams) > 1 and all(team for team, _ in teams) and len(set(players)) == len(players)


@cache
def _load_model() -> "PlackettLuce":
    from openskill.models import PlackettLuce  # a service that rates nobody does not load it

    return PlackettLuce(mu=MU, sigma=SIGMA, beta=BETA, kappa=KAPPA, tau=TAU, limit_sigma=False)


def _expected_places(teams: Sequence[Sequence["PlackettLuceRating"]]) -> list[float]:
    """Return the expected place of each party: one more than those that probably play better, as in the predictions of the model."""
    sums = [(sum([one.mu for one in team]), sum([one.sigma**2 + BETA**2 for one in team])) for team in teams]
    places = [1.0] * len(sums)
    for (one, (mu, spread)), (other, (theirs, their_spread)) in combinations(enumerate(sums), 2):
        ahead = (1 + erf((theirs - mu) / sqrt(2 * (spread + their_spread)))) / 2
        places[one] += ahead
        places[other] += 1 - ahead
    return places
