"""Formatting of values in sentences: the words that every sentence may need come from the catalogue that all share.

A placeholder may ask for more than the value: ``{stock:# card|# cards}`` chooses by the number that it is, or of the items that it has, and
puts it in the place of ``#``; ``{types:q}`` puts every item that is text in quotes; ``{allowed:or}`` and ``{cards:and}`` join the last one
with a word. ``{position:+1}`` says a number as it is counted aloud, from 1, where values count from 0; ``{positions:+1 or}`` each of
several.
"""

import re
from collections.abc import Callable, Mapping, Sequence

LONGEST = 120  # characters of a value in a sentence: a client may have sent megabytes
_DEEPEST = 3
_COUNTED = "+1"
_WHOLE = re.compile("-?[0-9]{1,18}")

Words = Callable[[object], str | None]
"""Returns the words of a phrase, in the language of the sentence; ``None`` for anything else."""


class FormattedValue(str):
    """A value as it stands in a sentence."""

    items: Sequence[str] = ()
    codes: Sequence[bool] = (False,)
    """For each item (or the one value): whether programs write it like this, and it is no number, phrase or the like."""

    number: int | None = None
    words: Mapping[str, str] = {}

    def __format__(self, spec: str) -> str:
        if spec.startswith(_COUNTED):
            return format(self._count_from_one(), spec[len(_COUNTED) :].strip())
        if spec == "q":
            items = zip(self.items or (str(self),), self.codes, strict=True)
            return ", ".join(self.words["quoted"].format(text=item) if is_code else item for item, is_code in items)
        if spec in ("and", "or") and len(self.items) > 1:
            *others, last = self.items
            return f"{', '.join(others)} {self.words[spec]} {last}"
        if "|" in spec:
            one, many = spec.split("|")
            return (one if self.number == 1 else many).replace("#", str(self))
        return str(self)

    def _count_from_one(self) -> "FormattedValue":
        """Return whole numbers raised by one; anything else as it is."""
        raised = [str(int(item) + 1) if _WHOLE.fullmatch(item) else item for item in self.items or (str(self),)]
        counted = FormattedValue(", ".join(raised))
        counted.words, counted.codes = self.words, self.codes
        counted.items = raised if self.items else ()
        return counted


class Details(dict[str, FormattedValue]):
    """The details as they are shown; a missing one is shown as dots."""

    def __init__(self, detail: Mapping[str, object], texts: Mapping[str, str], words: Words) -> None:
        super().__init__({name: format_value(value, texts, words) for name, value in detail.items()})

    def __missing__(self, name: str) -> FormattedValue:
        return FormattedValue("…")


def format_value(value: object, texts: Mapping[str, str], words: Words = lambda value: None) -> FormattedValue:
    """Return the value as it is shown: lists with commas, bounded in length, and without values that only a program would understand."""
    made = FormattedValue(_short(_text(value, texts, words, _DEEPEST)))
    made.words = texts
    made.codes = tuple(isinstance(one, str) for one in (value if isinstance(value, list | tuple) and value else (value,)))[:LONGEST]
    if isinstance(value, list | tuple):
        made.items, made.number = tuple(_short(_text(item, texts, words, 1)) for item in value[:LONGEST]), len(value)
    elif isinstance(value, int) and not isinstance(value, bool):
        made.number = value
    return made


def _text(value: object, texts: Mapping[str, str], words: Words, depth: int) -> str:
    if (said := words(value)) is not None:
        return said
    match value:
        case None | True | False | () | []:
            return texts[f"value.{'empty' if value in ((), []) else _NAMES[value]}"]  # type: ignore[index]
        case list() | tuple():
            return ", ".join(_text(item, texts, words, depth - 1) for item in value[:LONGEST]) if depth else "…"
        case dict():
            return texts["value.object"]
        case _:
            return str(value)


_NAMES = {None: "empty", True: "true", False: "false"}


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
