"""Recording line by line: a line is a command, tells how the cards were dealt, or is a move; then the next is asked for."""

from collections.abc import Callable, Mapping
from itertools import islice

from deploy.cli.recording.asking import Questions
from deploy.cli.recording.commands import SIGN, Command, Name, command_of, explained
from deploy.cli.recording.door import Act, Door
from deploy.cli.recording.entering import Entering
from deploy.cli.recording.following import Following
from deploy.cli.recording.reading import NotTaken, Reader
from deploy.cli.recording.terminal import Asking, Terminal
from deploy.cli.replays.lines import FramePrinter
from deploy.system.language import sentence
from domain.cards import Seat
from domain.games import RULESETS
from replay.transcript import Transcript

_LISTED = 30
"""Moves that are told at a time."""

_LEFT_OUT = {"unknown"}
"""Fields of the table that tell what stands beside hands and piles already."""


class Session:
    """``refused``: how many lines were not taken. Raises what the door raises."""

    def __init__(self, door: Door, game: Following, terminal: Terminal, language: str) -> None:
        game.follow(door.history(game.id, game.position))
        self.refused = 0
        self._game = game
        self._terminal = terminal
        self._language = language
        self._chosen: dict[str, Seat] = {}
        self._ended = False
        self._reader = Reader(game, language)
        self._printer = FramePrinter(game.game.setup.ruleset, language)
        self._names = tuple(player and door.name(player) for player in game.game.opened.players)
        transcript = Transcript(RULESETS[game.game.setup.ruleset].about(), language)
        self._entering = Entering(door, game, terminal, self._reader, Questions(transcript, language), language)

    def run(self) -> None:
        """Until somebody ends it, or nothing more is typed."""
        self._draw(asked=True)
        while not self._ended and (line := self._terminal.ask(self._asking())) is not None:
            try:
                self._obey(line) if line.startswith(SIGN) else self._enter(self._read(line))
            except NotTaken as problem:
                self.refused += 1
                self._terminal.tell(problem.says, "red")

    def _asking(self) -> Asking:
        position, again = self._game.position + 1, self._game.again()
        if self._is_over:
            return Asking(self._say("record_prompt_over", position=position))
        if not self._game.table.in_hand:
            prompt = self._say("record_prompt_deal", position=position)
            return Asking(prompt, self._say("record_enter_deals", hand=self._game.table.hand + 1, seat=self._dealer))
        seat = self._seat
        prompt = self._say("record_prompt", position=position, seat=seat)
        empty = self._say("record_enter_again", act=self._reader.written(again)) if again else ""
        return Asking(prompt, empty, lambda typed: self._reader.further(typed, seat), lambda typed: self._reader.meaning(typed, seat))

    @property
    def _seat(self) -> Seat:
        """Who is recorded next: where several may act, the first, unless another was named."""
        to_act = self._game.table.to_act
        seat = self._chosen.get("seat", to_act[0])
        return seat if seat in to_act else to_act[0]

    @property
    def _dealer(self) -> Seat:
        """The seat after the last one, unless another was named."""
        table = self._game.table
        return self._chosen.get("dealer", 0 if table.dealer is None else (table.dealer + 1) % table.setup.seats)

    @property
    def _is_over(self) -> bool:
        return self._game.table.phase == "game_over"

    def _read(self, line: str) -> Act:
        if self._is_over:
            return self._reader.move(line, 0)  # cards may be told of it still
        if not self._game.table.in_hand:
            return self._reader.deal(line, self._dealer)
        again = self._game.again()
        return again if again and not line else self._reader.move(line, self._seat)

    def _enter(self, act: Act) -> None:
        self._entering.enter(act)
        self._chosen.clear()
        self._draw()

    def _obey(self, line: str) -> None:
        command = command_of(line, self._language)
        if command is None:
            raise NotTaken(self._say("record_no_command", line=line))
        self._obeying[command.name](command)

    @property
    def _obeying(self) -> Mapping[Name, Callable[[Command], None]]:
        return {
            "undo": lambda command: self._undo(command.number if command.rest else 1),
            "drop": lambda _: self._game.drop(),
            "moves": lambda command: self._tell_moves(command.rest),
            "table": lambda _: self._look(),
            "seat": lambda command: self._choose("seat", command.number),
            "dealer": lambda command: self._choose("dealer", command.number),
            "shuffle": lambda _: self._enter(Act("hands", {"dealer": self._dealer})),
            "deck": lambda command: self._enter(self._reader.deck(command.rest, self._dealer)),
            "board": lambda command: self._enter(Act("hands", {"dealer": self._dealer, "board": command.number or 0})),
            "result": lambda command: self._enter(self._reader.result(command.rest, self._dealer)),
            "help": lambda _: self._tell(*explained(self._language)),
            "quit": lambda _: self._end(),
        }

    def _end(self) -> None:
        self._ended = True

    def _look(self) -> None:
        self._entering.follow()
        self._draw(asked=True)

    def _undo(self, count: int | None) -> None:
        act = self._game.undo(count) if count else None
        if act is None:
            raise NotTaken(self._say("record_nothing_to_undo"))
        self._enter(act)

    def _choose(self, what: str, seat: Seat | None) -> None:
        if seat is None or seat >= self._game.table.setup.seats:
            raise NotTaken(self._say("record_no_seat", last=self._game.table.setup.seats - 1))
        self._chosen[what] = seat

    def _tell_moves(self, typed: str) -> None:
        listed = [*islice(self._reader.further(typed, self._seat), _LISTED + 1)] if self._game.table.in_hand else []
        more = (self._say("record_more_moves"),) if len(listed) > _LISTED else ()
        self._tell(*(listed[:_LISTED] or (self._say("record_no_moves"),)), *more)

    def _tell(self, *lines: str) -> None:
        for line in lines:
            self._terminal.tell(line)

    def _draw(self, *, asked: bool = False) -> None:
        view = {field: value for field, value in self._game.view.items() if field not in _LEFT_OUT}
        self._terminal.draw([*self._printer.lying(view, self._names)], asked=asked)

    def _say(self, key: str, **detail: object) -> str:
        return sentence(key, self._language, **detail)
