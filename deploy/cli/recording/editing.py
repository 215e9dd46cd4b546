"""Lines on a real terminal: the table above, completion and what the line would do below, Ctrl-Z takes back."""

from collections.abc import Iterable, Sequence

from prompt_toolkit import PromptSession
from prompt_toolkit.application import get_app
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.formatted_text import FormattedText
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.shortcuts import CompleteStyle

from deploy.cli.console import console, print_line
from deploy.cli.recording.terminal import Asking

UNDO = "/undo"
_KEPT = 4  # of what happened earlier, so much stays on the screen


class Editing:
    """Each table is drawn on an empty screen, with what was said last below it."""

    def __init__(self) -> None:
        self._session: PromptSession[str] = PromptSession(
            key_bindings=_keys(), complete_style=CompleteStyle.MULTI_COLUMN, complete_while_typing=True, reserve_space_for_menu=4
        )
        self._table: Sequence[str] = ()
        self._earlier: list[str] = []
        self._said: list[tuple[str, str | None]] = []

    @property
    def is_piped(self) -> bool:
        return False

    def draw(self, table: Sequence[str], *, asked: bool) -> None:
        self._table = table

    def tell(self, text: str, style: str | None = None) -> None:
        self._said.append((text, style))

    def ask(self, asking: Asking) -> str | None:
        console().clear()
        for line in (*self._table, ""):
            print_line(line)
        for text in self._earlier:
            print_line(text, "dim")
        for text, style in self._said:
            print_line(text, style)
        self._earlier = [*self._earlier, *(text for text, style in self._said if style is None)][-_KEPT:]
        self._said = []
        return self._typed(asking)

    def _typed(self, asking: Asking) -> str | None:
        try:
            return self._session.prompt(
                f"{asking.prompt} > ",
                completer=_Further(asking),
                placeholder=FormattedText([("italic", asking.empty)]),
                bottom_toolbar=lambda: asking.meaning(get_app().current_buffer.text) or None,
            ).strip()
        except EOFError:
            return None
        except KeyboardInterrupt:
            return self._typed(asking)


class _Further(Completer):
    def __init__(self, asking: Asking) -> None:
        self._asking = asking

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        typed = document.text_before_cursor
        return (Completion(line, start_position=-len(typed)) for line in self._asking.further(typed))


def _keys() -> KeyBindings:
    keys = KeyBindings()

    @keys.add("c-z")
    def _(event: KeyPressEvent) -> None:
        event.app.exit(result=UNDO)

    return keys
