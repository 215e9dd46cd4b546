"""In which form a table is written, when nobody says so."""

from pathlib import Path
from typing import TypeVar

from deploy.language import say
from deploy.usage import WrongCall

Form = TypeVar("Form", bound=str)


def form_for(out: Path | None, forms: tuple[Form, ...]) -> Form:
    """The form that the name of the file ends with, CSV for none. Raises ``WrongCall``."""
    suffix = out.suffix.removeprefix(".").lower() if out else "csv"
    for form in forms:
        if form == suffix:
            return form
    raise WrongCall(say("form_unknown", file=out, names=say("this_or_that", some=forms[:-1], last=forms[-1])))
