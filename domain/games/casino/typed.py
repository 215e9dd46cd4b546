"""Parsing of typed Casino lines: the moves that the signs allow, the numbers, and the groups."""

from collections.abc import Sequence
from itertools import pairwise

from domain.cards import Card
from domain.games.casino.legal import KINDS
from domain.games.casino.table import Groups
from domain.notation.letters import CardToken, Cut, NumberToken, Sign, SignToken, Token

_ACTS: dict[Sign, tuple[str, tuple[Sign, ...]]] = {
    "-": ("trail", ("-",)),
    "x": ("capture", ("x", "#")),
    "^": ("raise", ("^", "#", "=")),
    "+": ("add", ("+", "#")),
    "=": ("build", ("=",)),
}
"""The sign of each move, and all signs that it may have."""


def kinds_of(cut: Cut) -> tuple[str, ...]:
    """Return the types of moves that the signs allow: all, if there is none. ``#`` needs its number, and no other sign stands twice."""
    typed = [sign for token in cut if (sign := sign_of(token))]
    signs = set(typed)
    if typed.count("#") != len(numbers_of(cut, "#")) or len(typed) - typed.count("#") != len(signs - {"#"}):
        return ()
    acts = [_ACTS[sign] for sign in _ACTS if sign in signs]
    if not acts:
        return ("capture", "raise", "add") if signs else KINDS
    # A raise announces as well, so its own sign goes before that of a build.
    kind, allowed = acts[0]
    return (kind,) if signs.issubset(allowed) else ()


def numbers_of(cut: Cut, sign: Sign) -> tuple[int, ...]:
    """Return the numbers behind such signs."""
    return tuple(after.number for before, after in pairwise(cut) if isinstance(after, NumberToken) and sign_of(before) == sign)


def announce_value(cut: Cut) -> Cut:
    """Return a raise that ends with a number so that it announces this value: ``a^10`` is ``a^=10``. Any other line stays as it is."""
    match cut:
        case (*before, SignToken(sign="^") as sign, CardToken(text=text) as card) if text.isdecimal():
            return (*before, sign, SignToken("=", card.at), NumberToken(int(text), card.at))
        case _:
            return cut


def sign_of(token: Token) -> Sign | None:
    return token.sign if isinstance(token, SignToken) else None


def read_groups(cut: Cut, cards: Sequence[Card]) -> Groups:
    """Return the cards in the groups in which they were typed, the played one in the first: a blank, a sign or a number ends a group."""
    groups: list[list[Card]] = []
    coming, before = iter(cards), None
    for token in cut:
        if isinstance(token, CardToken):
            if token.apart or not isinstance(before, CardToken):
                groups.append([])
            groups[-1].append(next(coming))
        before = token
    return tuple(map(tuple, groups))


def other_groups(groups: Groups) -> Groups:
    """Return the groups without the played card, which stands first."""
    first, *others = groups
    return (first[1:], *others) if first[1:] else tuple(others)
