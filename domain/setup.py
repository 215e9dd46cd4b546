"""The setup of a game: settled once, stored in ``game.opened``."""

from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias, TypeGuard, get_args

from msgspec import Struct, to_builtins
from msgspec.structs import asdict, fields

from domain.cards import Seat
from domain.effects import Plain


class Setup(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """The effective options and seats of a game, and the frame of its score sheet.

    ``parties`` are lists of seats; ``rows`` are the ids of the score rows in order; ``start_totals`` has a number per party;
    ``facts`` are the facts of the whole game as they stand before the first hand (COM-40).
    """

    ruleset: str
    options: dict[str, Plain]
    seats: int
    parties: tuple[tuple[Seat, ...], ...]
    rows: tuple[str, ...]
    start_totals: tuple[int, ...]
    facts: dict[str, Plain] = {}


def setup_of(
    ruleset: str,
    options: Struct,
    seats: int,
    rows: Sequence[str],
    parties: tuple[tuple[Seat, ...], ...] | None = None,
    *,
    start_totals: tuple[int, ...] | None = None,
    facts: dict[str, Plain] | None = None,
) -> Setup:
    """Return the setup. By default every seat is a party, and the totals begin at 0."""
    parties = parties or tuple((seat,) for seat in range(seats))
    return Setup(
        ruleset=ruleset,
        options=asdict(options),
        seats=seats,
        parties=parties,
        rows=tuple(rows),
        start_totals=start_totals or (0,) * len(parties),
        facts=facts or {},
    )


# Presets: named, complete sets of options that a ruleset publishes (COM-45).


FIELD = "preset"
"""The name beside the options under which a preset is asked for."""

PresetName: TypeAlias = Literal["usual", "source"]
NAMES: tuple[PresetName, ...] = get_args(PresetName)


def names_preset(options: object) -> TypeGuard[dict[str, object]]:
    """Return whether options name a preset."""
    return isinstance(options, dict) and FIELD in options


class Preset(Struct, frozen=True):
    """A named set of options. ``when``: options on which it depends; a preset without them always holds."""

    name: PresetName
    when: dict[str, Plain]
    options: dict[str, Plain]


Presets: TypeAlias = tuple[Preset, ...]


class PresetRow(Struct, frozen=True):
    """A line of the table of a game: what its presets hold beside the defaults of the options, ``when`` these options are chosen.

    ``derived``: defaults that follow from ``when``. ``source``: where the word of the source differs from the default.
    """

    when: dict[str, Plain] = {}
    derived: dict[str, Plain] = {}
    source: dict[str, Plain] = {}


def collect_preset_rows(options: type[Struct], rows: Sequence[PresetRow]) -> Presets:
    """Return the presets of all rows. Options that ``options``, those of an older edition, does not have are left out."""
    known = {field.name for field in fields(options)}

    def complete(*parts: Mapping[str, Plain]) -> dict[str, Plain]:
        chosen = {name: value for part in parts for name, value in part.items() if name in known}
        whole: dict[str, Plain] = to_builtins(options(**chosen), builtin_types=())
        return whole

    return tuple(
        Preset(name, row.when, complete(row.when, row.derived, row.source if name == "source" else {})) for name in NAMES for row in rows
    )
