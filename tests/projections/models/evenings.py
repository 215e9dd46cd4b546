"""Random tournaments for the tests of score lines: results entered, confirmed, corrected and taken back, forfeits, games beside them with
rulings, substitutes, mergers. Recorded through the decisions of the domain, so that nothing happens that could not."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import timedelta
from random import Random
from typing import Any
from uuid import UUID

from msgspec.structs import replace

from domain import codec
from domain.act_validation import check_counts, complete_act
from domain.errors import InvalidFormatError, Refused
from domain.events import Recorded, Stamp, digest
from domain.events.game import GameAbandoned, GameAnnulled, GameSuspended, PlayersCorrected, PlayerSeated, PointsAdjusted, RewindRecorded
from domain.events.player import PlayerMerged, PlayerRegistered, PlayerSeparated
from domain.events.tournament import EntryAccepted, RoundClosed, RoundPaired, Seating, TournamentAnnounced
from domain.game import Game
from domain.game import project as project_game
from domain.standings.plan import Scoring
from domain.tournament import entries, results, rounds
from domain.tournament.entries import correct_entry, correct_seats, games_of_entrant, seat_substitutes
from domain.tournament.games import TableGame
from domain.tournament.round_changes import ChangeInput, change_round
from domain.tournament.tournament import Tournament, project, tournament_stream
from projections.models.table_games import TableGameState, table_game_after
from tests.domain.toy import TOY
from tests.projections.histories import SETUP, START, History, Log, counted, dealt, finished, opened, table_at

STREAM = tournament_stream("spring")
ANNOUNCED = TournamentAnnounced(
    "spring",
    None,
    "casino",
    SETUP.options,
    2,
    SETUP.parties,
    "manual",
    "parties",
    Scoring("match_points", forfeit=(7, -2)),
    (),
    None,
    1,
    "game_over",
    "seed",
)


class Stream:
    """The events of a tournament or a player, one after the other."""

    def __init__(self, id: UUID) -> None:
        self.id = id
        self.events: list[Recorded] = []

    def add(self, event: Any, at: int, happened: int | None = None) -> Recorded:
        """``at`` and ``happened``: days after the first evening."""
        link = digest(self.events[-1].state) if self.events else None
        moment = None if happened is None else START + timedelta(days=happened)
        stamp = Stamp(START + timedelta(days=at), "p_director", moment)
        self.events.append(codec.encode_event(self.id, len(self.events) + 1, link, stamp, event))
        return self.events[-1]


class Evening:
    """``chance`` decides what comes next; ``log`` holds all that happened."""

    def __init__(self, chance: Random, games: int = 1, size: int = 4) -> None:
        self.chance = chance
        self.log = Log()
        self.day = 0
        self.stream = Stream(STREAM)
        self.people: dict[str, Stream] = {}
        self.games: dict[UUID, History] = {}
        self.merged: dict[str, str] = {}
        self.direct(replace(ANNOUNCED, games=games))
        for number in range(1, size + 1):
            self.direct(EntryAccepted(number, (f"p{number}",), 1))
        for player in (*(f"p{number}" for number in range(1, size + 1)), "g1", "g2"):
            self.tell(player, PlayerRegistered(player, "c1"))
        self.pair(1)

    @property
    def now(self) -> Tournament:
        now = project(None, self.stream.events)
        assert now is not None
        return now

    def direct(self, *events: Any) -> None:
        for event in events:
            self.day += 1
            happened = self.chance.choice([None, None, self.chance.randrange(-400, self.day)])
            self.log.append(self.stream.add(event, self.day, happened))

    def tell(self, player: str, event: Any) -> None:
        number = len(self.people)
        stream = self.people.setdefault(player, Stream(UUID(int=0xD000 + number, version=4)))
        self.log.append(stream.add(event, self.day))

    def pair(self, round: int) -> None:
        order = self.chance.sample([1, 2, 3, 4], 4)
        self.direct(RoundPaired(round, False, (Seating("1", tuple(order[:2])), Seating("2", tuple(order[2:]))), ()))

    def step(self) -> None:
        """Something happens; what would be refused does not."""
        with suppress(Refused, InvalidFormatError):
            self.chance.choice(self.ways())()

    def ways(self) -> Sequence[Callable[[], None]]:
        said = (self.enter, self.enter, self.confirm, self.confirm, self.decide, self.forfeit, self.withdraw, self.adjourn)
        played = (self.open, self.open, self.play, self.play, self.finish, self.finish, self.rule, self.rule, self.rewind)
        return (*said, *played, self.substitute, self.rectify, self.reseat, self.merge, self.separate, self.unpair, self.close)

    def _table(self) -> tuple[int, str, tuple[int, ...]]:
        round = self.chance.choice(self.now.rounds)
        table = self.chance.choice(round.tables)
        return round.number, table.name, table.seats

    def reseat(self) -> None:
        """It was really so that two of a round sat at each other's places."""
        round = self.chance.choice(self.now.rounds)
        one, other = self.chance.sample([seat for table in round.tables for seat in table.seats], 2)
        swapped = {one: other, other: one}
        tables = [
            rounds.GivenTable(table.name, self.now.parties(tuple(swapped.get(seat, seat) for seat in table.seats)))
            for table in round.tables
        ]
        games = [game for game in self.table_games() if game.round == round.number]
        self.direct(change_round(self.now, round.number, ChangeInput(tables), games, None, as_played=True))

    def enter(self) -> None:
        round, table, seats = self._table()
        points = self.chance.sample(range(20), 2)
        self.direct(results.enter_result(self.now, round, table, points, self.chance.choice(seats)))

    def confirm(self) -> None:
        round, table, seats = self._table()
        self.direct(results.confirm_result(self.now, round, table, self.chance.choice(seats)))

    def decide(self) -> None:
        round, table, _ = self._table()
        self.direct(results.decide_result(self.now, round, table, self.chance.sample(range(20), 2)))

    def forfeit(self) -> None:
        round, table, seats = self._table()
        self.direct(results.forfeit_table(self.now, round, table, [self.chance.choice(seats)], None))

    def withdraw(self) -> None:
        round, table, _ = self._table()
        self.direct(results.withdraw_result(self.now, round, table, None))

    def adjourn(self) -> None:
        round, table, _ = self._table()
        self.direct(results.record_adjourned_table(self.now, round, table, None))

    def unpair(self) -> None:
        number = len(self.now.rounds)
        self.direct(rounds.withdraw_pairing(self.now, (), None))
        if number == 1:
            self.pair(1)

    def close(self) -> None:
        number = len(self.now.rounds)
        if number < 3 and not self.now.rounds[-1].closed:
            self.direct(RoundClosed(number))
            self.pair(number + 1)

    def substitute(self) -> None:
        before, player = self.now, f"s{len(self.stream.events)}"
        back = self.chance.choice([None, (before.open_round or before.next_round) + 1])
        change = entries.change_entry(before, self.chance.randrange(1, 5), [player], None, back_from=back)
        self.direct(change)
        self._follow(lambda _, game: seat_substitutes(before, change, game) if game.docket.ended != "annulled" else ())

    def rectify(self) -> None:
        """It was really somebody else who was entered."""
        before, entrant = self.now, self.chance.randrange(1, 5)
        told = ([f"y{len(self.stream.events)}"], self.chance.choice([None, 1, 2]), self.chance.choice([None, 2, 3]), None)
        right = correct_entry(before, entrant, *told, self.table_games())
        own = games_of_entrant(before, before.entrant(entrant), right.from_round, right.back_from, self.table_games())
        known = {game.game: game for game in own}
        self.direct(right)
        self._follow(lambda id, game: correct_seats(before, right, known[id], game) if id in known else ())

    def _follow(self, acts: Callable[[UUID, Game], Sequence[Any]]) -> None:
        """What is recorded in games with an event of the tournament."""
        for id, history in self.games.items():
            game = project_game(None, history.events)
            assert game is not None
            for act in acts(id, game):
                self._record(history, act)

    def table_games(self) -> list[TableGame]:
        states: dict[UUID, TableGameState | None] = {}
        for sequence, one in self.log.events:
            if one.stream in self.games:
                states[one.stream] = table_game_after(states.get(one.stream), sequence, one)
        return [state.as_table_game(id, 0) for id, state in states.items() if state]

    def merge(self) -> None:
        one, other = self.chance.sample(sorted(self.people), 2)
        if one not in self.merged and other not in self.merged and one not in self.merged.values():
            self.merged[one] = other
            self.tell(one, PlayerMerged(other))

    def separate(self) -> None:
        if self.merged:
            one = self.chance.choice(sorted(self.merged))
            del self.merged[one]
            self.tell(one, PlayerSeparated())

    # Games

    def open(self) -> None:
        round, table, seats = self._table()
        players = list(self.now.players(round, seats))
        if self.chance.random() < 0.2:
            self.chance.shuffle(players)
        if self.chance.random() < 0.2:
            players[0] = self.chance.choice(["g1", "g2"])
        history = History(len(self.games) + 1)
        self.games[history.id] = history
        self._record(history, opened(tuple(players), tournament="spring", round=round, table=table))

    def _record(self, history: History, event: Any) -> None:
        history.add(event)
        self.log.append(history.events[-1])

    def _game(self) -> tuple[History, Game]:
        if not self.games:
            raise Refused("nothing_opened")
        history = self.chance.choice(list(self.games.values()))
        game = project_game(None, history.events)
        assert game is not None
        return history, game

    def _hand(self) -> tuple[History, tuple[int, int]]:
        """A hand is dealt that can be, and what it will bring."""
        history, game = self._game()
        game.docket.check_play()
        if game.table.score.places is not None:
            raise Refused("game_over")
        self._record(history, dealt(len(game.table.score.hands) + 1))
        return history, (self.chance.randrange(9), self.chance.randrange(9))

    def play(self) -> None:
        history, points = self._hand()
        self._record(history, counted(0, points))

    def finish(self) -> None:
        history, points = self._hand()
        self._record(history, finished(0, points, (1, 2) if self.chance.random() < 0.5 else (2, 1)))

    def rule(self) -> None:
        history, game = self._game()
        hand = self.chance.choice([None, *(one.hand for one in game.table.score.hands)])
        points = PointsAdjusted(hand, self.chance.randrange(2), -3, None)
        acts: list[Any] = [points, points, GameAnnulled(None), GameAbandoned(None), GameSuspended(None), PlayerSeated(1, "sub")]
        acts += [PlayersCorrected(game.opened.players[::-1], hand or 1, None), PlayersCorrected(("g1", game.opened.players[1]), 1, None)]
        self._record(history, complete_act(game, self.chance.choice(acts), lambda: TOY.bind({}, 2)))

    def rewind(self) -> None:
        history, game = self._game()
        check_counts(game)
        to = self.chance.randrange(1, len(history.events) + 1)
        if game.was_left(to):
            raise Refused("left")
        restored = table_at(history.events, to)
        assert restored is not None
        self._record(history, RewindRecorded(to, None, self.chance.choice([None, 2]), restored))


def tournament_at(log: Log, sequence: int) -> Tournament:
    now = project(None, (one for at, one in log.events if at <= sequence and one.stream == STREAM))
    assert now is not None
    return now


def persons_at(log: Log, sequence: int) -> Callable[[str], str]:
    """Who counts for whom, by the events of the directory alone."""
    names: dict[UUID, str] = {}
    merged: dict[str, str] = {}
    for at, one in log.events:
        if at <= sequence:
            match one.event:
                case PlayerRegistered(player=player):
                    names[one.stream] = player
                case PlayerMerged(into=into):
                    merged[names[one.stream]] = into
                case PlayerSeparated():
                    merged.pop(names[one.stream], None)

    def person(player: str) -> str:
        while player in merged:
            player = merged[player]
        return player

    return person


def games_by_table(games: Sequence[TableGame]) -> dict[tuple[int, str], list[TableGame]]:
    found: dict[tuple[int, str], list[TableGame]] = defaultdict(list)
    for game in games:
        found[game.round, game.table].append(game)
    return found
