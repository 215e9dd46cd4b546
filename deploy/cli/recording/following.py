"""A game as it has been recorded so far: how it stands, what can be taken back, and what was taken back and may be taken again."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias
from uuid import UUID

from msgspec import UNSET

from api.games.frames import frame_maker
from api.games.responses import ReplayFrame
from api.http.response import encode
from deploy.cli.client import frame_of
from deploy.cli.recording.door import Act
from domain.cards import Seat
from domain.errors import Refused, Unknown
from domain.events import NAMES, Recorded, Stamp
from domain.events.game import CardsTold, GameRewound, HandDealt, HandReported, MovePlayed
from domain.game import Game, evolve
from domain.games import EDITIONS, RULESETS
from domain.openness import NOTHING
from domain.rules import NOTHING_TOLD, Move, Rulebook, Told
from domain.table import Table
from replay.history import NEVER
from replay.past import GameStep

Made: TypeAlias = MovePlayed | CardsTold
"""What a recorder enters during a hand."""


class Following:
    """Holds what the service told of one game: what it did not tell lies here as hidden cards."""

    def __init__(self, id: UUID, language: str) -> None:
        self.id = id
        self.offered: tuple[Made, ...] = ()
        """What was taken back, the next one first, as long as it may be taken again."""
        self.view: Mapping[str, Any] = {}
        """The table as this token may see it: the state view of the ruleset."""
        self._language = language
        self._game: Game | None = None
        self._made: list[tuple[int, Made]] = []

    @property
    def game(self) -> Game:
        assert self._game is not None
        return self._game

    @property
    def table(self) -> Table:
        return self.game.table

    @property
    def position(self) -> int:
        return self._game.position if self._game else 0

    @property
    def rulebook(self) -> Rulebook:
        """The rules of the hand in progress. Raises ``Unknown`` where they are not kept here."""
        setup = self.game.setup
        ruleset = EDITIONS.get((setup.ruleset, self.game.edition))
        if ruleset is None:
            raise Unknown("ruleset", setup.ruleset)
        return ruleset.bind(setup.options, setup.seats)

    @property
    def newest(self) -> Rulebook:
        """The rules by which hands are dealt. Raises ``Unknown`` where there are none."""
        setup = self.game.setup
        if setup.ruleset not in RULESETS:
            raise Unknown("ruleset", setup.ruleset)
        return RULESETS[setup.ruleset].bind(setup.options, setup.seats)

    def follow(self, events: Iterable[Recorded]) -> list[ReplayFrame]:
        """The frames of what was recorded since. Raises ``Unknown`` for a game whose rules are not kept here."""
        steps = [self._step(recorded) for recorded in events]
        if not steps:
            return []
        show = frame_maker(RULESETS, self.game, "arbiter", NOTHING, self._language, worded=True)
        frames = [show(step) for step in steps]
        self.view = frame_of(encode(frames[-1])).table  # as it is sent: lists, where rules have tuples
        return frames

    def would_be(self, seat: Seat, move: Move, told: Mapping[str, Any]) -> str | None:
        """What would be said of the move, were it recorded now; ``None`` where the rules ask for cards first, or refuse it."""
        try:
            effects = self.rulebook.resolve(self.table, seat, move, Told(**told) if told else NOTHING_TOLD)
        except Refused:
            return None
        made = MovePlayed(seat, move, effects)
        recorded = Recorded(self.id, self.position + 1, NAMES[MovePlayed], Stamp(NEVER, ""), None, made, b"")
        show = frame_maker(RULESETS, self.game, "arbiter", NOTHING, self._language, worded=True)
        return show(GameStep(self.game, recorded, evolve(self.game, recorded))).caption

    def standing(self) -> list[tuple[int, Made]]:
        """What was entered in this hand and was not taken back, with its positions."""
        return [(position, made) for position, made in self._made if position > self.game.dealt_at and not self.game.is_void(position)]

    def undo(self, count: int) -> Act | None:
        """Takes back the last of what stands; ``None`` where there is nothing."""
        standing = self.standing()[-count:]
        if not standing:
            return None
        to = standing[0][0] - 1
        while self.game.was_left(to):
            to -= 1
        return Act("rewinds", {"to": to})

    def again(self) -> Act | None:
        """The next of what was taken back."""
        return act_of(self.offered[0]) if self.offered else None

    def drop(self) -> None:
        """The next of what was taken back is not offered any more."""
        self.offered = self.offered[1:]

    def _step(self, recorded: Recorded) -> GameStep:
        before = self._game
        stood = self.standing() if before else []
        self._game = evolve(before, recorded)
        self._offer(recorded, stood)
        return GameStep(before, recorded, self._game)

    def _offer(self, recorded: Recorded, stood: Sequence[tuple[int, Made]]) -> None:
        match recorded.event:
            case MovePlayed() | CardsTold() as made:
                self._made.append((recorded.position, made))
                if self.offered and _takes_place(made, self.offered[0]):
                    self.drop()
            case GameRewound(to=to, ruling=None):
                self.offered = (*(made for position, made in stood if position > to), *self.offered)
            case GameRewound() | HandDealt() | HandReported():
                self.offered = ()


def act_of(made: Made) -> Act:
    """What was recorded, to be sent once more."""
    if isinstance(made, CardsTold):
        return Act("tellings", {"known": made.known})
    told = {name: value for name in ("known", "lacks") if (value := getattr(made, name)) is not UNSET}
    return Act("moves", {"seat": made.seat, "move": made.move, **told})


def _takes_place(made: Made, offered: Made) -> bool:
    """Whether this was entered in the place of what is offered, as it was or put right; else it comes before it."""
    match made, offered:
        case CardsTold(), CardsTold():
            return True
        case MovePlayed(), MovePlayed():
            return (made.seat, _type(made)) == (offered.seat, _type(offered))
        case _:
            return False


def _type(made: MovePlayed) -> object:
    return made.move.get("type") if isinstance(made.move, dict) else None
