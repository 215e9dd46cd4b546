"""What a check found."""

from typing import Literal, TypeAlias

from msgspec import Struct

from domain.texts import Saying

State: TypeAlias = Literal["ok", "look", "wrong"]


class Found(Struct, frozen=True):
    """``look``: it works, but somebody should have a look. ``advice`` is what to do."""

    state: State
    text: Saying
    advice: Saying = ""
