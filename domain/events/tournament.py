"""Events of a tournament, except for its games: those are recorded as games that name the tournament, the round and the table.

An *entrant* has a line in the standings: a player, or a fixed partnership. Entrants are numbered from 1 in their tournament, rounds too;
the title and the reasons of people stand in the register of texts.
"""

from typing import Literal, TypeAlias

from msgspec import UNSET, UnsetType

from domain.effects import Plain
from domain.events.base import EventBase, TextRef
from domain.events.game import Live, Openness, OwnMoves, Shuffle
from domain.standings.plan import Entrants, Format, PairingRules, Scoring
from domain.standings.prize_pools import PrizePool
from domain.standings.tie_breaks import TieBreak
from domain.time_zones import StoredTimeZone

HallNames: TypeAlias = Literal["names", "initials", "aliases"]
"""The names of players for readers who are signed in within a tournament (its players, recorders and spectators) and for the wall."""


Rules: TypeAlias = PairingRules | UnsetType
"""Absent where they are the usual ones, and in older events."""


class LotsBound(EventBase, frozen=True):
    """The ``commitment`` of the service to the secret of the lots (hexadecimal), and how many ``dice`` are thrown for them; 0 for none."""

    commitment: str
    dice: int


class TournamentAnnounced(EventBase, frozen=True, omit_defaults=True):
    """``tournament.announced/1``: everything that decides who wins is fixed here.

    ``tournament`` is the id that its games carry; ``parties`` the seats of each party at a table; ``games`` how many games a table plays in
    a round. ``rounds`` is null where the format does not fix it. Lots and draws follow from ``seed`` alone, where it was announced in the
    open; else from the commitment of ``lots``, and ``seed`` is empty until they are drawn, and not stored. ``hall_names`` is not there in
    older events: until names are chosen, players go by alias, else by number. ``smaller_tables``: tables may have one seat less than
    ``seats``. ``half_required``: a round robin does not count who withdraws before half of it is played; false in older events.
    ``third_place``: the losers of semi-finals play for it. ``own_results``: players enter results. ``imported``: from a list of earlier
    results, whose SHA-256 is the ``seed``.
    """

    tournament: str
    title: TextRef | None
    ruleset: str
    options: dict[str, Plain]
    seats: int
    parties: tuple[tuple[int, ...], ...]
    format: Format
    entrants: Entrants
    scoring: Scoring
    tie_breaks: tuple[TieBreak, ...]
    rounds: int | None
    games: int
    openness: Openness
    seed: str = ""
    live: Live = UNSET
    own_moves: OwnMoves = UNSET
    shuffle: Shuffle = UNSET
    lots: LotsBound | UnsetType = UNSET
    hall_names: HallNames | UnsetType = UNSET
    time_zone: StoredTimeZone = UNSET
    smaller_tables: bool = False
    pairing: Rules = UNSET
    half_required: bool = False
    third_place: bool = False
    own_results: bool = False
    imported: bool = False


class TournamentCorrected(EventBase, frozen=True):
    """``tournament.corrected/1``: announced otherwise, before anything was paired: the whole announcement, as it holds from now on.

    The id stays, and the seed, or the commitment of the lots.
    """

    title: TextRef | None
    ruleset: str
    options: dict[str, Plain]
    seats: int
    parties: tuple[tuple[int, ...], ...]
    format: Format
    entrants: Entrants
    scoring: Scoring
    tie_breaks: tuple[TieBreak, ...]
    rounds: int | None
    games: int
    openness: Openness
    live: Live = UNSET
    own_moves: OwnMoves = UNSET
    shuffle: Shuffle = UNSET
    smaller_tables: bool = False
    pairing: Rules = UNSET
    half_required: bool = False
    third_place: bool = False
    own_results: bool = False


Follows: TypeAlias = int | UnsetType
"""The round that was paired and open when no round was named, so that ``from_round`` became the one after it. If that round is unpaired,
the recorded change holds from it. Absent where a round was named, where none was open, and in older events: their ``from_round`` stays.
"""


class EntryAccepted(EventBase, frozen=True):
    """``entry.accepted/1``: ``players`` are ids, one for each seat of a party; ``from_round`` is later than 1 for a late entry."""

    entrant: int
    players: tuple[str, ...]
    from_round: int
    rating: int | None = None
    follows: Follows = UNSET


class EntryRated(EventBase, frozen=True):
    """``entry.rated/1``: the rating by which the entrant is seeded is another one, or null; before anything was paired."""

    entrant: int
    rating: int | None


class Labels(EventBase, frozen=True):
    """The club, team and category of an entrant: no names of people. Prizes are won within a category."""

    club: str | None = None
    team: str | None = None
    category: str | None = None


class EntryLabelsSet(EventBase, frozen=True):
    """``entry.labelled/1``: the labels of the entrant from now on."""

    entrant: int
    labels: Labels


class EntryAdvanced(EventBase, frozen=True):
    """``entry.advanced/1``: an entrant of a later round plays from this earlier one on."""

    entrant: int
    from_round: int
    follows: Follows = UNSET


class EntryChanged(EventBase, frozen=True):
    """``entry.changed/1``: from this round on other players stand for the entrant, up to ``back_from``, if those return."""

    entrant: int
    players: tuple[str, ...]
    from_round: int
    follows: Follows = UNSET
    back_from: int | UnsetType = UNSET


class CorrectedLineUp(EventBase, frozen=True):
    """The players who really stood for an entrant from a round on."""

    entrant: int
    players: tuple[str, ...]
    from_round: int


class EntryCorrected(EventBase, frozen=True):
    """``entry.rectified/1``: it was really these players who stood for the entrant from this round on, up to the one before ``back_from``;
    others had been entered by mistake. ``exchanged``: other entrants who had players named here, and got in exchange those whom they
    replace. Games that name players by mistake are put right in the same commit.
    """

    entrant: int
    players: tuple[str, ...]
    from_round: int
    back_from: int | None
    reason: TextRef | None
    exchanged: tuple[CorrectedLineUp, ...] | UnsetType = UNSET

    @property
    def line_ups(self) -> tuple[CorrectedLineUp, ...]:
        """The line-ups of all entrants whom it puts right."""
        others = () if self.exchanged is UNSET else self.exchanged
        return (CorrectedLineUp(self.entrant, self.players, self.from_round), *others)


class EntryWithdrawn(EventBase, frozen=True):
    """``entry.withdrawn/1``: not paired from this round on; earlier results stay."""

    entrant: int
    from_round: int
    reason: TextRef | None
    follows: Follows = UNSET


class EntryReturned(EventBase, frozen=True):
    """``entry.returned/1``: a withdrawn entrant is paired again from this round on. An entrant who sits out a round returns after it."""

    entrant: int
    from_round: int
    follows: Follows = UNSET


WishKind: TypeAlias = Literal["half_bye", "table", "apart", "meet"]
"""A bye with half the score of a bye; a fixed table; entrants who are not paired with one another; two who are."""


class WishRecorded(EventBase, frozen=True):
    """``wish.recorded/1``: a wish that the next draws heed. Wishes are numbered from 1 in their tournament.

    ``round``: the only round that it is about; null for every round from now on. ``table``: the name of a fixed table.
    """

    wish: int
    kind: WishKind
    entrants: tuple[int, ...]
    round: int | None
    table: str | None


class WishWithdrawn(EventBase, frozen=True):
    """``wish.withdrawn/1``: no longer heeded."""

    wish: int


class ClubsGrouped(EventBase, frozen=True):
    """``clubs.grouped/1``: the entrants of the same club as a draw found them, before it in the same commit. Clubs are not named."""

    groups: tuple[tuple[int, ...], ...]


class PresenceChecked(EventBase, frozen=True):
    """``presence.checked/1``: entrants who are ``absent`` in this round, not paired yet, and others who are ``present`` in it after all."""

    round: int
    absent: tuple[int, ...]
    present: tuple[int, ...]


class LotsDrawn(EventBase, frozen=True):
    """``lots.drawn/1``: with the first pairing, before it in the same commit. ``seed`` follows from the secret, which is revealed with it,
    from the entries as they stand, and from ``dice`` where some were promised.

    ``secret`` is null where it was lost. Then ``seed`` was given with the pairing, in the open.
    """

    seed: str
    secret: str | None
    dice: str | None


class Seating(EventBase, frozen=True):
    """A table of a round: the entrant on each seat. A partnership stands on each of its seats."""

    table: str
    seats: tuple[int, ...]


class RoundPaired(EventBase, frozen=True):
    """``round.paired/1``: ``drawn`` by the service, else by hand. ``third_place``: the table that plays for it in a knock-out."""

    round: int
    drawn: bool
    tables: tuple[Seating, ...]
    byes: tuple[int, ...]
    third_place: str | UnsetType = UNSET


class PairingWithdrawn(EventBase, frozen=True):
    """``round.unpaired/1``: the pairings of the last round are taken back before anything was played in it. Entrants that came, left or
    returned since, without naming a round, did so from this round on (``Follows``).
    """

    round: int
    reason: TextRef | None


class PairingChanged(EventBase, frozen=True):
    """``round.changed/1``: some tables of the round in play are others from now on, before anything was played at them.

    ``tables`` as they are now, changed or new; ``dissolved`` by name; ``byes`` all that the round has now; ``absent``: entrants who do not
    play in this round after all. An entrant who is seated and was not to play in the round does so. ``as_played``: it was really so that
    they sat, at tables with a result, perhaps long ago; each result stays at its seats.
    """

    round: int
    tables: tuple[Seating, ...]
    dissolved: tuple[str, ...]
    byes: tuple[int, ...]
    absent: tuple[int, ...]
    reason: TextRef | None
    as_played: bool | UnsetType = UNSET


class ResultEntered(EventBase, frozen=True):
    """``result.entered/1``: game points of each party at a table without a recorded game.

    ``side`` is the entrant who reports them, to be confirmed by the others; null for the director, whose result counts at once. ``agreed``:
    entrants of other sides whose last word were these points, who need not confirm. ``played_at``: the day of an imported result.
    """

    round: int
    table: str
    points: tuple[int, ...]
    side: int | None
    agreed: tuple[int, ...] | UnsetType = UNSET
    played_at: str | UnsetType = UNSET


class ResultConfirmed(EventBase, frozen=True):
    """``result.confirmed/1``: another side says the same."""

    round: int
    table: str
    side: int


class ResultWithdrawn(EventBase, frozen=True):
    """``result.withdrawn/1``: the entered result, forfeit or adjournment of this table is taken back; its games count again."""

    round: int
    table: str
    reason: TextRef | None


class TableForfeited(EventBase, frozen=True):
    """``table.forfeited/1``: the entrants that did not come, or were sent away; the others need not play at this table."""

    round: int
    table: str
    absent: tuple[int, ...]
    reason: TextRef | None


class TableAdjourned(EventBase, frozen=True):
    """``table.adjourned/1``: to be finished later; the round may be closed without it."""

    round: int
    table: str
    reason: TextRef | None


class TableNoticeSet(EventBase, frozen=True):
    """``table.notified/1``, in place of the notice before: all extra minutes, whether players are ``called``, whether they call."""

    round: int
    table: str
    extra_minutes: int
    called: bool
    calls: bool = False


class NamedCheckpoint(EventBase, frozen=True):
    """The newest checkpoint of the log that was published then: how many entries it had, and the root over them in base64."""

    origin: str
    size: int
    root: str


Naming: TypeAlias = NamedCheckpoint | UnsetType
"""Absent where no log was kept, where nothing of it was signed, and in older events."""


class RoundClosed(EventBase, frozen=True):
    """``round.closed/1``: every table has a result, or is adjourned. Rulings may still change results."""

    round: int
    checkpoint: Naming = UNSET


class TournamentEnded(EventBase, frozen=True):
    """``tournament.ended/1``: finished after its last round, or cancelled."""

    how: Literal["finished", "cancelled"]
    reason: TextRef | None


class TournamentReopened(EventBase, frozen=True):
    """``tournament.reopened/1``: the end is taken back, before the tournament was published: rounds are paired and played as before it."""

    reason: TextRef | None


class StandingsOrdered(EventBase, frozen=True):
    """``standings.ordered/1``: the director orders entrants who stand equal, the best first, for example after a play-off. It holds while
    exactly these stand equal; a later order of some of them replaces it.
    """

    entrants: tuple[int, ...]
    reason: TextRef


class PrizePoolsSet(EventBase, frozen=True):
    """``prizes.set/1``: the prizes from now on, in the order in which they are won."""

    funds: tuple[PrizePool, ...]


Publication: TypeAlias = Literal["no", "aliases", "names"]
"""The readers of a tournament, everybody or not, and the names by which its players are shown to them."""


class TournamentPublished(EventBase, frozen=True):
    """``tournament.published/1``: from here on everybody may read the tournament, without a token: its players by alias or id, or by their
    names, if the director knows that they agreed. ``no`` takes that back.
    """

    publication: Publication


class TimeZoneSet(EventBase, frozen=True):
    """``time_zone.chosen/1``: the zone of the days and months of games that are opened from here on."""

    time_zone: str


class ScheduleSet(EventBase, frozen=True):
    """``schedule.set/1``: when the rounds begin, from round 1 on (RFC 3339 in UTC)."""

    starts: tuple[str, ...]


class HallNamesSet(EventBase, frozen=True):
    """``hall_names.chosen/1``: from here on players are shown by these names to readers who are signed in within the tournament."""

    hall_names: HallNames


TournamentEvent: TypeAlias = (
    TournamentAnnounced
    | TournamentCorrected
    | EntryAccepted
    | EntryRated
    | EntryLabelsSet
    | EntryAdvanced
    | EntryChanged
    | EntryCorrected
    | EntryWithdrawn
    | EntryReturned
    | WishRecorded
    | WishWithdrawn
    | ClubsGrouped
    | PresenceChecked
    | LotsDrawn
    | RoundPaired
    | PairingWithdrawn
    | PairingChanged
    | ResultEntered
    | ResultConfirmed
    | ResultWithdrawn
    | TableForfeited
    | TableAdjourned
    | TableNoticeSet
    | RoundClosed
    | TournamentEnded
    | TournamentReopened
    | StandingsOrdered
    | PrizePoolsSet
    | TournamentPublished
    | HallNamesSet
    | TimeZoneSet
    | ScheduleSet
)

NAMES: dict[type, str] = {
    TournamentAnnounced: "tournament.announced/1",
    TournamentCorrected: "tournament.corrected/1",
    EntryAccepted: "entry.accepted/1",
    EntryRated: "entry.rated/1",
    EntryLabelsSet: "entry.labelled/1",
    EntryAdvanced: "entry.advanced/1",
    EntryChanged: "entry.changed/1",
    EntryCorrected: "entry.rectified/1",
    EntryWithdrawn: "entry.withdrawn/1",
    EntryReturned: "entry.returned/1",
    WishRecorded: "wish.recorded/1",
    WishWithdrawn: "wish.withdrawn/1",
    ClubsGrouped: "clubs.grouped/1",
    PresenceChecked: "presence.checked/1",
    LotsDrawn: "lots.drawn/1",
    RoundPaired: "round.paired/1",
    PairingWithdrawn: "round.unpaired/1",
    PairingChanged: "round.changed/1",
    ResultEntered: "result.entered/1",
    ResultConfirmed: "result.confirmed/1",
    ResultWithdrawn: "result.withdrawn/1",
    TableForfeited: "table.forfeited/1",
    TableAdjourned: "table.adjourned/1",
    TableNoticeSet: "table.notified/1",
    RoundClosed: "round.closed/1",
    TournamentEnded: "tournament.ended/1",
    TournamentReopened: "tournament.reopened/1",
    StandingsOrdered: "standings.ordered/1",
    PrizePoolsSet: "prizes.set/1",
    TournamentPublished: "tournament.published/1",
    HallNamesSet: "hall_names.chosen/1",
    TimeZoneSet: "time_zone.chosen/1",
    ScheduleSet: "schedule.set/1",
}
