"""Which principals are a person. Most are nobody that the directory knows: their ids are opaque, and who holds a token is not recorded."""

from collections.abc import Collection

from domain.journal.registers import Registers


def principals_of(registers: Registers, ids: Collection[str]) -> list[str]:
    """Those that are called as one of the ids, and those that hold a token of such a player. To be called in a thread."""
    return sorted({*ids, *(token.principal for token in registers.list_tokens() if token.grant.player in ids)})
