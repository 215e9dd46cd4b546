"""Ratings from the results that count: which games are rated, in the order in which they were played, and the rating of each player after
each of them.

A result that changes, comes or goes marks its ruleset: from there on ratings are computed anew, some thousands of games at a time
(``update_ratings``). Each step holds the whole rating after a game, so that any moment of the past is a checkpoint.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import TypeAlias

import msgspec

from domain.ratings import Rating, RatingRun, is_rated
from projections.engine.store import Params, Row, Transaction, placeholders
from projections.models.score_lines.boards import NOBODY
from projections.models.score_lines.tables import COUNTED, FOREVER
from projections.values import as_json

TABLES = {
    "rated_games": (
        "CREATE TABLE rated_games (opened BIGINT PRIMARY KEY, ruleset TEXT NOT NULL, played_at BIGINT NOT NULL, teams TEXT NOT NULL)",
        "CREATE INDEX rated_games_order ON rated_games (ruleset, played_at, opened)",
    ),
    "rating_steps": (
        """CREATE TABLE rating_steps (
    opened BIGINT NOT NULL,
    player TEXT NOT NULL,
    ruleset TEXT NOT NULL,
    played_at BIGINT NOT NULL,
    games BIGINT NOT NULL,
    mu DOUBLE PRECISION NOT NULL,
    sigma DOUBLE PRECISION NOT NULL,
    expected DOUBLE PRECISION NOT NULL,
    place BIGINT NOT NULL,
    PRIMARY KEY (player, ruleset, played_at, opened)
)""",
        # Of each player one row: to list the players of a ruleset.
        "CREATE INDEX rating_steps_first ON rating_steps (ruleset, player) WHERE games = 1",
    ),
    "rating_changes": (
        "CREATE TABLE rating_changes (ruleset TEXT PRIMARY KEY, played_at BIGINT NOT NULL, opened BIGINT NOT NULL, since BIGINT NOT NULL)",
    ),
}
"""``rating_changes``: the place from which the ratings of a ruleset have to be computed anew, and since when."""

_KNOWN = "SELECT opened, ruleset, played_at, teams FROM rated_games WHERE opened IN"
_SHARES = (
    "SELECT b.opened, g.ruleset, b.party, b.seat, b.player, p.place, MIN(b.played_at) FROM score_blocks AS b"
    " JOIN score_games AS g ON g.opened = b.opened AND g.finished = 1"
    " LEFT JOIN score_places AS p ON p.opened = b.opened AND p.recorded = b.recorded"
    f" WHERE b.until = {FOREVER} AND b.status = {COUNTED} AND b.kind IN ('hand', 'entered') AND b.opened IN ({{games}})"
    " GROUP BY b.opened, g.ruleset, b.party, b.seat, b.player, p.place ORDER BY b.opened, b.party, b.seat, b.player"
)
_FORGET = "DELETE FROM rated_games WHERE opened = ?"
_KEEP = "INSERT INTO rated_games (opened, ruleset, played_at, teams) VALUES (?, ?, ?, ?)"
_UNRATED = "DELETE FROM rating_steps WHERE player = ? AND ruleset = ? AND played_at = ? AND opened = ?"
_CHANGED = (
    "INSERT INTO rating_changes (ruleset, played_at, opened, since) VALUES (?, ?, ?, ?) ON CONFLICT (ruleset) DO UPDATE SET"
    " played_at = excluded.played_at, opened = excluded.opened WHERE (excluded.played_at, excluded.opened)"
    " < (rating_changes.played_at, rating_changes.opened)"
)
_CHANGES = "SELECT ruleset, played_at, opened FROM rating_changes ORDER BY ruleset"
_FOLLOWING = (
    "SELECT opened, played_at, teams FROM rated_games WHERE ruleset = ? AND (played_at, opened) >= (?, ?)"
    " ORDER BY played_at, opened LIMIT ?"
)
_BEFORE = (
    "SELECT * FROM (SELECT player, mu, sigma, games FROM rating_steps WHERE player = ? AND ruleset = ? AND (played_at, opened) < (?, ?)"
    " ORDER BY played_at DESC, opened DESC LIMIT 1) AS one"
)
_STEP = "opened, player, ruleset, played_at, games, mu, sigma, expected, place"
_STEPS = (
    f"INSERT INTO rating_steps ({_STEP}) VALUES ({placeholders(9)}) ON CONFLICT (player, ruleset, played_at, opened) DO UPDATE SET"
    " games = excluded.games, mu = excluded.mu, sigma = excluded.sigma, expected = excluded.expected, place = excluded.place"
)
_GO_ON = "UPDATE rating_changes SET played_at = ?, opened = ? WHERE ruleset = ?"
_DONE = "DELETE FROM rating_changes WHERE ruleset = ?"
_AT_ONCE = 100  # players or games in a statement
GAMES_A_STEP = 10_000
"""Games that are rated in one transaction: half a second."""

_TEAMS = msgspec.json.Decoder(tuple[tuple[tuple[str, ...], int], ...])
_Rated: TypeAlias = tuple[str, int, str]
"""Ruleset, moment and teams of a rated game."""


def note_results(tx: Transaction, openings: Iterable[int], at: int) -> None:
    """Take over the results of games that were touched at a moment, and mark from where ratings change."""
    ids = sorted(openings)
    for first in range(0, len(ids), _AT_ONCE):
        some = ids[first : first + _AT_ONCE]
        known = {opened: (ruleset, played_at, teams) for opened, *(ruleset, played_at, teams) in _select(tx, _KNOWN, some)}
        found = dict(_rated(tx.query(_SHARES.format(games=placeholders(len(some))), some)))
        changed = [opened for opened in some if known.get(opened) != found.get(opened)]
        tx.run_many(_FORGET, [(opened,) for opened in changed if opened in known])
        tx.run_many(_UNRATED, [step for opened in changed if opened in known for step in _steps_of(opened, *known[opened])])
        tx.run_many(_KEEP, [(opened, *found[opened]) for opened in changed if opened in found])
        places = [(*one[:2], opened, at) for opened in changed for one in (known.get(opened), found.get(opened)) if one]
        tx.run_many(_CHANGED, places)


def _steps_of(opened: int, ruleset: str, played_at: int, teams: str) -> Iterator[Params]:
    """Yield the keys of the steps of a game."""
    return ((player, ruleset, played_at, opened) for team, _ in _TEAMS.decode(teams) for player in team)


def _select(tx: Transaction, select: str, ids: Sequence[int]) -> list[Row]:
    return tx.query(f"{select} ({placeholders(len(ids))})", ids)


def _rated(shares: Iterable[Row]) -> Iterator[tuple[int, _Rated]]:
    """Yield the games that can be rated, by their openings."""
    for opened, rows in groupby(shares, key=lambda row: int(row[0])):
        own = list(rows)
        parties: dict[int, tuple[list[str], int]] = {party: ([], 0) for _, _, party, *_ in own}
        for _, _, party, _, player, place, _ in own:
            if place is not None and player not in parties[party][0]:
                parties[party] = ([*parties[party][0], player], int(place))
        teams = [parties[party] for party in sorted(parties)]
        if all(row[4] != NOBODY for row in own) and is_rated(teams):
            yield opened, (own[0][1], min(int(row[6]) for row in own), as_json(teams))


def update_ratings(tx: Transaction) -> bool:
    """Compute ratings anew from the first change on, some thousands of games of a ruleset. Return whether any are left."""
    changes = tx.query(_CHANGES)
    for ruleset, played_at, opened in changes[:1]:
        games = tx.query(_FOLLOWING, (ruleset, played_at, opened, GAMES_A_STEP + 1))
        _rate(tx, ruleset, [(int(one), int(at), _TEAMS.decode(teams)) for one, at, teams in games[:GAMES_A_STEP]])
        if len(games) > GAMES_A_STEP:
            last = games[-1]
            tx.run(_GO_ON, (last[1], last[0], ruleset))
            return True
        tx.run(_DONE, (ruleset,))
    return len(changes) > 1


def _rate(tx: Transaction, ruleset: str, games: Sequence[tuple[int, int, tuple[tuple[tuple[str, ...], int], ...]]]) -> None:
    """Rate games that follow each other."""
    if not games:
        return
    opened, played_at, _ = games[0]
    players = {player for _, _, teams in games for team, _ in teams for player in team}
    run = RatingRun(_ratings_before(tx, ruleset, players, (played_at, opened)))
    tx.run_many(
        _STEPS,
        [
            (one, step.player, ruleset, at, step.after.games, step.after.mu, step.after.sigma, step.expected, step.place)
            for one, at, teams in games
            for step in run.rate_game(teams)
        ],
    )


def _ratings_before(tx: Transaction, ruleset: str, players: Collection[str], place: tuple[int, int]) -> Mapping[str, Rating]:
    """Return the ratings before a place in the order of games, of those who had one."""
    found: dict[str, Rating] = {}
    ids = sorted(players)
    for first in range(0, len(ids), _AT_ONCE):
        some = ids[first : first + _AT_ONCE]
        rows = tx.query(" UNION ALL ".join([_BEFORE] * len(some)), [value for player in some for value in (player, ruleset, *place)])
        found |= {player: Rating(mu, sigma, int(games)) for player, mu, sigma, games in rows}
    return found
