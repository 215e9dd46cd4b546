"""Notation of Casino moves: ``9c -``, ``9c x 5d4h 9d #2``, ``3s6c =9``, ``As ^ #1 =10``, ``6d3h + #1``."""

from collections.abc import Iterator
from typing import cast

from domain.cards import SUITS, Card, Seat
from domain.games.casino.matching import fit_any_order, match_line, same
from domain.games.casino.options import Options
from domain.games.casino.table import VALUES, CasinoTable, Groups
from domain.games.casino.typed import announce_value, kinds_of, numbers_of, other_groups, read_groups
from domain.notation.letters import FRENCH, CardToken, CardUnit, Cut, Move, NumberUnit, Sign, SignUnit, Unit, cards_of, one_face
from domain.notation.syntax import NotationSyntax


def _units_of_move(_: object, move: Move) -> tuple[Unit, ...]:
    """Spell a move. A build begins with the group of the played card, that card first; other groups stay as they were made."""
    card, groups = cast("Card", move["card"]), cast("Groups", move.get("groups", ()))
    played = CardUnit(card, "played")
    match move:
        case {"type": "trail"}:
            return (played, SignUnit("-"))
        case {"type": "capture"}:
            return (played, SignUnit("x"), *_groups(groups), *_builds(move))
        case {"type": "raise", "build": int(build), "value": int(value)}:
            return (played, SignUnit("^"), *_number("#", build), *_number("=", value), *_groups(groups))
        case {"type": "build", "value": int(value)}:
            return (played, *_rest_of_group(card, groups), *_number("=", value), *_groups(_others(card, groups)))
        case _:
            said = (SignUnit("+"), *_number("#", cast("int", move["build"])))
            return (played, *_rest_of_group(card, groups), *said, *_groups(_others(card, groups)))


def _number(sign: Sign, number: int) -> tuple[Unit, ...]:
    return (SignUnit(sign), NumberUnit(number))


def _builds(move: Move) -> Iterator[Unit]:
    """Spell the builds that are taken. They are named with the cards or not at all: without them it is another capture."""
    for build in cast("tuple[int, ...]", move.get("builds", ())):
        yield from (SignUnit("#"), NumberUnit(build, role="used"))


def _groups(groups: Groups) -> Iterator[Unit]:
    for group in groups:
        yield from (CardUnit(card, joined=place > 0) for place, card in enumerate(group))


def _rest_of_group(played: Card, groups: Groups) -> Iterator[Unit]:
    """Spell the cards that stand with the played card in its group."""
    return (CardUnit(card, joined=True) for group in groups if played in group for card in group if card != played)


def _others(played: Card, groups: Groups) -> Groups:
    return tuple(group for group in groups if played not in group)


def _literal(options: Options, lying: CasinoTable, seat: Seat, cut: Cut) -> Iterator[Move]:
    cut = announce_value(cut)
    tokens = cards_of(cut)
    if not tokens:
        return
    cards = _faces(lying, seat, tokens)
    groups = read_groups(cut, cards)
    for kind in _LIKELY:
        if kind in kinds_of(cut):
            move = _build_move(kind, options, lying, cut, groups)
            # Only what the line says, and all of it.
            if fit_any_order(cut, _units_of_move(options, move)) == "all":
                yield move


_LIKELY = ("trail", "capture", "raise", "add", "build")
"""A card alone is laid down; with others it takes them."""


def _build_move(kind: str, options: Options, lying: CasinoTable, cut: Cut, groups: Groups) -> Move:
    """Return the move of this type. Without a number it is about the first build, and announces the sum of the cards."""
    worth, builds = VALUES[options.variant].worth, numbers_of(cut, "#")
    card = groups[0][0]
    build = builds[0] if builds else min(lying.builds, default=1)
    match kind:
        case "trail":
            return {"type": "trail", "card": card}
        case "capture":
            return {"type": "capture", "card": card, "groups": other_groups(groups), "builds": builds}
        case "raise":
            made = worth.get(card, 0) + (lying.builds[build].value if build in lying.builds else 0)
            return {
                "type": "raise",
                "card": card,
                "build": build,
                "value": _read_announced_value(cut, made),
                "groups": other_groups(groups),
            }
        case "add":
            return {"type": "add", "card": card, "build": build, "groups": groups}
        case _:
            made = sum(worth.get(one, 0) for one in groups[0])
            return {"type": "build", "card": card, "value": _read_announced_value(cut, made), "groups": groups}


def _read_announced_value(cut: Cut, made: int) -> int:
    return next(iter(numbers_of(cut, "=")), made or 1)


def _faces(lying: CasinoTable, seat: Seat, tokens: tuple[CardToken, ...]) -> list[Card]:
    """Return a face for each token. Cards without a suit are looked for where the move uses them, the played one in the hand."""
    first, *others = tokens
    faces = [one_face(first, lying.visible_hand(seat))]
    for token in others:
        lies = (*lying.board, *lying.in_builds, *sorted(token.faces))
        faces.append(one_face(token, tuple(card for card in lies if card not in faces)))
    return faces


GRAMMAR = NotationSyntax[Options, CasinoTable](
    letters=FRENCH,
    signs=("x", "-", "=", "+", "^", "#"),
    spell=_units_of_move,
    literal=_literal,
    numbered=("=", "#"),
    order=("capture", "trail", "raise", "add", "build"),
    cured=("build_needs_table_card",),
    suits=SUITS,
    words={
        "en": {"x": "take,takes", "-": "lay,lays,trail,trails", "=": "build,builds"},
        "de": {"x": "nehmen,nimm,nimmt", "-": "legen,legt,ablegen", "=": "bauen,baut"},
    },
    same=same,
    examples=(
        {"type": "trail", "card": "9C"},
        {"type": "capture", "card": "9C", "groups": (("5D", "4H"), ("9D",)), "builds": (2,)},
        {"type": "build", "card": "3S", "value": 9, "groups": (("3S", "6C"),)},
        {"type": "raise", "card": "AS", "build": 1, "value": 10, "groups": ()},
        {"type": "add", "card": "3S", "build": 1, "groups": (("3S", "6C"),)},
    ),
    fitting=match_line,
)
