"""Blocks: cards that lie together in an order that nobody recorded (COM-70, QTR-32). The faces are known, the place of each is not.

A place is counted from the top of its zone: 0 is the next card to leave. The fold follows the places through every move, so that a block
may come to lie in several zones.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec import Struct

from domain.cards import HIDDEN, Card
from domain.effects import BlockAdded, CardsMoved, Known

Places = dict[str, tuple[int, ...]]


class Block(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """Faces, and as many places by zone. Which face lies at which place is unknown."""

    faces: tuple[Card, ...]
    places: Places

    def contains_place(self, zone: str, place: int) -> bool:
        return place in self.places.get(zone, ())


Blocks = tuple[Block, ...]


def block_at(blocks: Blocks, zone: str, place: int) -> Block | None:
    """Return the block to which this place belongs."""
    return next((block for block in blocks if block.contains_place(zone, place)), None)


def add_block(blocks: Blocks, effect: BlockAdded) -> Blocks:
    """Return the blocks with the new one, which replaces those that share a face with it."""
    others = tuple(block for block in blocks if set(block.faces).isdisjoint(effect.faces))
    return (*others, Block(effect.faces, effect.places)) if effect.faces else others


def move_blocks(blocks: Blocks, effect: CardsMoved, gone: Sequence[int], target_size: int) -> Blocks:
    """Return the blocks after a move. ``gone``: the places that its cards leave, in their order; ``target_size``: the number of cards of
    the target without them.
    """
    count = len(effect.cards)
    below = target_size if effect.under else 0
    arriving = {place: below + count - 1 - number for number, place in enumerate(gone)}
    shift = 0 if effect.under else count

    def move(block: Block) -> Block:
        named = {
            place: card
            for place, card in zip(gone, effect.cards, strict=True)
            if card != HIDDEN and block.contains_place(effect.source, place)
        }
        by_zone: dict[str, list[int]] = {zone: list(places) for zone, places in block.places.items()}
        leaving = [place for place in by_zone.pop(effect.source, []) if place not in named]
        staying = [place - sum(other < place for other in gone) for place in leaving if place not in arriving]
        by_zone[effect.source] = staying
        by_zone[effect.target] = [place + shift for place in by_zone.get(effect.target, ())]
        by_zone[effect.target] += [arriving[place] for place in leaving if place in arriving]
        return _build_block(block, by_zone, named.values())

    return tuple(map(move, blocks))


def tell_blocks(blocks: Blocks, effect: Known) -> Blocks:
    """Return the blocks without the places whose faces are told, and without these faces."""
    told = {place: card for place, card in enumerate(reversed(effect.cards)) if card != HIDDEN}

    def tell(block: Block) -> Block:
        named = [told[place] for place in block.places.get(effect.zone, ()) if place in told]
        left = {zone: [place for place in places if zone != effect.zone or place not in told] for zone, places in block.places.items()}
        return _build_block(block, left, named)

    return tuple(map(tell, blocks))


def _build_block(block: Block, by_zone: Mapping[str, list[int]], told: Iterable[Card]) -> Block:
    """Return the block at these places, without the told faces."""
    faces = list(block.faces)
    for card in told:
        if card in faces:
            faces.remove(card)
    return Block(tuple(faces), {zone: tuple(sorted(places)) for zone, places in by_zone.items() if places})


def keep_valid_blocks(blocks: Blocks, cards_of: Callable[[str], tuple[Card, ...]]) -> Blocks:
    """Return the blocks that have faces, and as many places without a face on the table. Damaged history may leave others."""
    return tuple(block for block in blocks if block.faces and _is_valid(block, cards_of))


def _is_valid(block: Block, cards_of: Callable[[str], tuple[Card, ...]]) -> bool:
    lying = [cards_of(zone)[::-1][place : place + 1] for zone, places in block.places.items() for place in set(places) if place >= 0]
    return len(lying) == len(block.faces) and all(cards == (HIDDEN,) for cards in lying)
