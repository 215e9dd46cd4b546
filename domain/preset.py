"""Presets: named, complete sets of options that a ruleset publishes (COM-45).

``usual`` are the defaults. ``source`` has each option at the value that is the word of the source, and at the default where the source
leaves it open. A preset is resolved before options are read, so everything recorded holds the effective options.
"""

from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias, TypeGuard, get_args

from msgspec import Struct, to_builtins
from msgspec.structs import fields

from domain.effects import Plain

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
