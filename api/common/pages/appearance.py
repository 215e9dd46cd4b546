"""How somebody likes his pages: in which language, light or dark, with how many colours of suits. A cookie says it, and nothing else."""

from collections.abc import Mapping
from typing import Literal, get_args

from msgspec import Struct

from api.http.request import Request, header, language_of
from domain.texts import LANGUAGES, Language

Theme = Literal["system", "light", "dark"]
Suits = Literal["four", "two"]
Spoken = Literal["system"] | Language
COOKIE = "kiebitz-looks"
CHOICES: Mapping[str, tuple[str, ...]] = {"language": ("system", *LANGUAGES), "theme": get_args(Theme), "suits": get_args(Suits)}
"""By the fields of ``Appearance``, in their order."""
_LASTS = 365 * 24 * 3600


class Appearance(Struct, frozen=True):
    """``system``: as the browser says."""

    language: Spoken = "system"
    theme: Theme = "system"
    suits: Suits = "four"

    def cookie(self) -> tuple[str, str]:
        value = f"{self.language}.{self.theme}.{self.suits}"
        return "set-cookie", f"{COOKIE}={value}; Path=/; Max-Age={_LASTS}; SameSite=Lax; HttpOnly"


def appearance_of(request: Request) -> Appearance:
    """As his cookie says; what is none of ours says nothing."""
    named = (one.strip().partition("=") for one in header(request, b"cookie").replace(", ", "; ").split(";"))
    said = next((value for name, _, value in named if name == COOKIE), "").split(".")
    fits = len(said) == len(CHOICES) and all(value in values for value, values in zip(said, CHOICES.values(), strict=True))
    return Appearance(*said) if fits else Appearance()  # type: ignore[arg-type]


def spoken_to(request: Request) -> str:
    """The language of a page: the one that was chosen, else the one that the browser would like best."""
    chosen = appearance_of(request).language
    return language_of(request) if chosen == "system" else chosen
