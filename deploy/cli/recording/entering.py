"""One act on its way into the record: sent, asked about, sent again with the answers."""

from collections.abc import Mapping
from typing import Any

from deploy.cli.recording.asking import Questions, cards_asked, with_cards, with_told
from deploy.cli.recording.door import Act, Door
from deploy.cli.recording.following import Following
from deploy.cli.recording.reading import NotTaken, Reader
from deploy.cli.recording.terminal import Asking, Terminal
from deploy.system.language import sentence


class Entering:
    """Raises what the door raises."""

    def __init__(self, door: Door, game: Following, terminal: Terminal, reader: Reader, questions: Questions, language: str) -> None:
        self._door = door
        self._game = game
        self._terminal = terminal
        self._reader = reader
        self._questions = questions
        self._language = language

    def follow(self) -> None:
        """Tells what was recorded since, by whomever."""
        for frame in self._game.follow(self._door.history(self._game.id, self._game.position)):
            self._terminal.tell(frame.caption)

    def enter(self, act: Act) -> None:
        """Raises ``NotTaken`` for what is refused, or is not told any further; then nothing is recorded."""
        while problem := self._door.record(self._game.id, self._game.position, act):
            if problem.is_overtaken:
                self.follow()
                raise NotTaken(sentence("record_overtaken", self._language))
            if not problem.asks:
                raise NotTaken(problem.in_words())
            for ask in problem.asks:
                act = self._asked(act, ask)
        self.follow()

    def _asked(self, act: Act, ask: Mapping[str, Any]) -> Act:
        text = self._questions.text(ask, of_deal=act.what == "hands")
        while answer := self._terminal.ask(Asking(text, sentence("record_enter_leaves", self._language))):
            try:
                return self._answered(act, ask, answer)
            except NotTaken as problem:
                self._terminal.tell(problem.says, "red")
        raise NotTaken(sentence("record_left", self._language))

    def _answered(self, act: Act, ask: Mapping[str, Any], answer: str) -> Act:
        if (count := cards_asked(ask)) == 0:
            return with_told(act, self._reader.answer(act, answer))
        return with_cards(act, ask, self._reader.cards(answer, count))
