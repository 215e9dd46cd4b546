"""The plan of standings (format, scoring, shape of tables) and the outcomes of tables on which they are computed."""

from collections.abc import Mapping
from typing import Literal, Protocol, TypeAlias
from uuid import UUID

from msgspec import UNSET, Struct, UnsetType

ScoredBy: TypeAlias = Literal["points", "match_points"]
Format: TypeAlias = Literal["manual", "round_robin", "swiss", "knockout"]
Entrants: TypeAlias = Literal["parties", "players"]
"""Fixed partnerships that keep together, or single players, whose partners rotate from round to round."""


class FormatRule(Struct, frozen=True, kw_only=True):
    """The properties of a format. ``one_field``: its pairings rest on all entrants who were there at the start. ``all_meet``: everybody is
    to meet everybody. ``loser_is_out``: one loss is the end.
    """

    one_field: bool
    all_meet: bool
    loser_is_out: bool


FORMATS: Mapping[Format, FormatRule] = {
    "manual": FormatRule(one_field=False, all_meet=False, loser_is_out=False),
    "round_robin": FormatRule(one_field=True, all_meet=True, loser_is_out=False),
    "swiss": FormatRule(one_field=False, all_meet=False, loser_is_out=False),
    "knockout": FormatRule(one_field=True, all_meet=False, loser_is_out=True),
}


ByeBrings: TypeAlias = int | Literal["average"]
"""The score of a bye: a number, or the average of those who played in that round."""


ForfeitBrings: TypeAlias = int | Literal["bye"]
"""Game points of an entrant who came to a forfeited table: a number, or what a bye brings."""


class Scoring(Struct, frozen=True, forbid_unknown_fields=True):
    """The scoring. ``by`` points of the games, or by match points: one number for each place at a table; shared places share their sum.

    ``draw``: of each side of a drawn duel, instead of half the sum. ``bye``: the score of a bye, in the unit of ``by``. ``forfeit``: game
    points of each entrant who came and of each who did not.
    """

    by: ScoredBy
    places: tuple[int, ...] = (2, 0)
    bye: ByeBrings = 2
    forfeit: tuple[ForfeitBrings, int] = (0, 0)
    draw: int | UnsetType = UNSET

    @property
    def forfeit_points(self) -> tuple[int, int]:
        """The game points of a forfeit. ``bye`` counts as 0 where it is no number of game points: beside match points, or an average."""
        came, missing = self.forfeit
        if came != "bye":
            return came, missing
        return self.bye if self.by == "points" and self.bye != "average" else 0, missing


class ScoringInput(Struct, frozen=True, kw_only=True):
    """A scoring as a director proposes it. A value of None gets its default once the parties of a table are known."""

    by: ScoredBy | None = None
    places: tuple[int, ...] | None = None
    bye: ByeBrings | None = None
    forfeit: tuple[ForfeitBrings, int] = ("bye", 0)
    draw: int | UnsetType = UNSET

    def fill_defaults(self, parties: int) -> Scoring:
        """Fill in the defaults for a table of so many parties: match points, of which each party that is behind is worth two. A player
        alone has nobody behind, so there points of the games count. A bye brings two match points, or with the default places a win; of
        game points no number is known before, so it brings the average.
        """
        by = self.by or ("match_points" if parties > 1 else "points")
        usual = tuple(range(2 * (parties - 1), -1, -2)) if by == "match_points" else Scoring(by).places
        bye: ByeBrings = "average" if by == "points" else usual[0] if self.places is None else 2
        places = usual if self.places is None else self.places
        return Scoring(by, places, bye if self.bye is None else self.bye, self.forfeit, self.draw)


class PairingRules(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The rules of the draw that a director may choose. ``first_table``: the number of the top table. ``apart``: entrants of the same club
    are kept apart as far as possible. ``late``: a late entrant has a half-point bye for the last round that they missed.
    """

    first_table: int = 1
    apart: Literal["club"] | None = None
    late: Literal["half_bye"] | None = None


class Plan(Protocol):
    """The part of an announcement that standings need. ``parties`` are the seats of each party at a table."""

    @property
    def parties(self) -> tuple[tuple[int, ...], ...]: ...

    @property
    def format(self) -> Format: ...

    @property
    def entrants(self) -> Entrants: ...

    @property
    def scoring(self) -> Scoring: ...

    @property
    def rounds(self) -> int | None:
        """The number of rounds, if it is announced."""

    @property
    def half_required(self) -> bool:
        """Whether a round robin leaves out who withdraws before half is played."""

    @property
    def smaller_tables(self) -> bool:
        """Whether single players may also sit at tables with one seat less."""

    @property
    def seed(self) -> str:
        """The seed of the lots; empty before they are drawn."""


def is_head_to_head(plan: Plan) -> bool:
    """Return whether two entrants meet at each table, so that what one wins the other loses."""
    return table_shape(plan) == (1, 1)


def players_per_entry(plan: Plan) -> int:
    return len(plan.parties[0]) if plan.entrants == "parties" else 1


def table_shape(plan: Plan) -> tuple[int, ...]:
    """Return how many entrants make up each party at a table: ``(1, 1)`` two partnerships, ``(2, 2)`` players with changing partners."""
    return tuple(1 if plan.entrants == "parties" else len(party) for party in plan.parties)


# The plan of a series: how results of tournaments become points, which of them count, and how ties are broken.


PointsBy: TypeAlias = Literal["place", "field", "score", "percent"]
SharedPlaces: TypeAlias = Literal["average", "best"]
SeriesTieBreak: TypeAlias = Literal["first_places", "best_results", "tournaments", "latest_result", "direct_comparison", "lots"]

USUAL_TABLE = (25, 18, 15, 12, 10, 8, 6, 4, 2, 1)
"""Points by place, of a series that names no others."""


class SeriesPoints(Struct, frozen=True, forbid_unknown_fields=True):
    """The points of a tournament. ``by`` place: from ``table``, 0 after its end; by field: 100 · (n - place + 1) / n, of n who played;
    by score: the score of the standings; by percent: of the best score. ``ties``: equal places share the average of the places that
    they hold together, or each have the best of them.
    """

    by: PointsBy = "place"
    table: tuple[int, ...] = ()
    ties: SharedPlaces = "average"


class SeriesTables(Struct, frozen=True, forbid_unknown_fields=True):
    """Tables beside that of the players. ``club``: how many players of a club count in each tournament; null for no such table."""

    club: int | None = None
    partnership: bool = False
    category: bool = False


class SeriesPlan(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The plan. ``best``: so many results count, null for all. ``minimum``: tournaments to be played to be ranked. ``rulesets``: of its
    tournaments; null for any.
    """

    points: SeriesPoints
    best: int | None = None
    minimum: int = 1
    tie_breaks: tuple[SeriesTieBreak, ...] = ()
    tables: SeriesTables = SeriesTables()
    rulesets: tuple[str, ...] | None = None


# Outcomes of tables, and byes: all that standings and pairings know of the games.


Origin: TypeAlias = Literal["open", "games", "entered", "forfeited", "adjourned"]


class Outcome(Struct, frozen=True):
    """The outcome of a table of a round. ``parties`` are the entrants of each party, in the order of the seats: ``((3,), (7,))`` two
    partnerships or two single players, ``((3, 8), (5, 1))`` rotating partners, ``((4,),)`` a player who plays alone.

    ``points``: game points of each party, ``None`` while there is no result. ``how``: where they come from. ``absent``: the entrants that
    forfeited. ``games``: the recorded games behind the points, in their order. ``places``: of each party, where the game says otherwise
    than its points; in Casino by order of counting the first to count out has won. ``third_place``: a match for the third place of
    a knock-out, which counts half.
    """

    round: int
    table: str
    parties: tuple[tuple[int, ...], ...]
    points: tuple[int, ...] | None
    how: Origin
    absent: tuple[int, ...] = ()
    games: tuple[UUID, ...] = ()
    places: tuple[int, ...] | None = None
    third_place: bool = False

    @property
    def rank_key(self) -> tuple[int, ...]:
        """The numbers by which the parties are ranked, the best with the most; none while there is no result."""
        return tuple(-place for place in self.places) if self.places else self.points or ()


class Bye(Struct, frozen=True):
    """An entrant that was left over when a round was paired. ``half``: on request, or for a late entrant, with half the score of a bye."""

    round: int
    entrant: int
    half: bool = False
