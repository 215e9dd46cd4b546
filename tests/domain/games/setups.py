"""What the laws have to know of each game: with which options and seats it is tried, how long it may last, and what is hidden.

A new game adds one function and one line; a test fails as long as it has not.
"""

from collections.abc import Callable, Iterable, Mapping
from itertools import compress, product
from typing import Any, NamedTuple

from domain.sight import Viewer
from tests.domain.games.quartett.decks import planes, waters
from tests.laws import Hidden


class SetUp(NamedTuple):
    """One way to play a game; ``longest`` is more moves than any game so set up may take, ``rarely`` are the types of moves that
    would end most games at once if they were as likely as others."""

    options: Mapping[str, Any]
    seats: int
    longest: int
    rarely: tuple[str, ...] = ()

    def __str__(self) -> str:
        chosen = [f"{name}={value['id'] if isinstance(value, dict) else value}" for name, value in self.options.items()]
        return "-".join([f"{self.seats} seats", *chosen])


class Tried(NamedTuple):
    set_ups: tuple[SetUp, ...]
    hidden: Hidden


def casino() -> Tried:
    """All combinations of options and seats; the target changes along, from one hand to a match. Some count no sweep with the last card."""
    tables = ((2, False), (3, False), (4, False), (4, True))
    choices = product(("classic", "royal"), (False, True), ("total", "order"), tables)
    targets = (1, 11, 21)
    combined: list[tuple[dict[str, Any], int]] = [
        ({"variant": variant, "sweeps": sweeps, "count_out": count_out, "partners": partners, "target": targets[number % 3]}, seats)
        for number, (variant, sweeps, count_out, (seats, partners)) in enumerate(choices)
    ]
    without_last = [({"variant": variant, "sweeps": True, "last_sweep": "not"}, seats) for variant, seats in (("classic", 2), ("royal", 4))]
    # A hand takes 48 moves and a deal; with 4 seats and 11 points a hand, 21 are reached within eight hands, ties apart.
    return Tried(
        tuple(SetUp(options, seats, 49 * 20) for options, seats in (*combined, *without_last)),
        {
            "hands": hands_of_others,
            "stock": from_seats("stock"),
            "piles": lambda viewer, whole: whole["piles"] if whole["phase"] in ("hand_over", "game_over") else masks(whole["piles"]),
        },
    )


def alcasan() -> Tried:
    """All combinations of seats and of the further lay, each for one hand and for several with a limit of moves; where it may be declined,
    the lengths change along. In some four of a kind are compared."""
    lengths: tuple[dict[str, Any], ...] = ({}, {"deals": 3, "move_limit": 40}, {"deals": 2, "move_limit": 150})
    choices = [({"extra_lay": lay, **length}, seats) for lay, seats, length in product(("single", "any"), (2, 3, 4), lengths)]
    may = [
        ({"extra_lay": lay, "extra_lay_right": "may", **lengths[number % 3]}, seats)
        for number, (lay, seats) in enumerate(product(("single", "any"), (2, 3, 4)))
    ]
    compared: list[tuple[dict[str, Any], int]] = [
        ({"extra_lay": "single", "four_fit": "compared"}, 2),
        ({"extra_lay": "any", "four_fit": "compared", "deals": 3, "move_limit": 40}, 3),
    ]
    return Tried(
        tuple(
            # At random a hand takes about 300 moves, but players who lead and take in turns can go on without end (ALC-43).
            SetUp(options, seats, 20_000)
            for options, seats in (*choices, *may, *compared)
        ),
        {
            "hands": hands_of_others,
            "stock": from_seats("stock"),
            "down": lambda viewer, whole: [[card and "?" for card in cards] for cards in whole["down"]],
        },
    )


def canasta() -> Tried:
    """All combinations of the options of the pile, for two and for four; the end of the match and the totals before it change along. At
    some tables the first card turned up is left."""
    ends: tuple[dict[str, Any], ...] = (
        {"end": "hands", "hand_count": 1},
        {"target_score": 300, "start_totals": [-400, 250]},
        {"target_score": 2000, "target_check": "immediate", "start_totals": [-5, 1500]},
    )
    pile: dict[str, Any] = {"wild_top_take": False, "pile_red_three_replaced": False, "one_card_pile": "forbidden"}
    choices = product((False, True), (False, True), (False, True), (2, 4))
    combined = [({**ends[number % 3], **dict(compress(pile.items(), others))}, seats) for number, (*others, seats) in enumerate(choices)]
    left = [({**ends[0], "first_upcard": "left"}, 2), ({**ends[2], "first_upcard": "left", "wild_top_take": False}, 4)]
    return Tried(
        tuple(
            # A hand takes 100 to 200 moves; random players lay much and reach such targets in a hand or two.
            SetUp(options, seats, 2000)
            for options, seats in (*combined, *left)
        ),
        {
            "hands": hands_of_others,
            "stock": from_seats("stock"),
            "pile": canasta_pile,
        },
    )


def canasta_pile(viewer: Viewer, whole: Mapping[str, Any]) -> list[Any]:
    """All but the top card, unless all have just seen it: a pile with at most two cards that are no red threes (CAN-38)."""
    if sum(card not in ("3H", "3D") for card in whole["pile"]) <= 2:
        return list(whole["pile"])
    return [*masks(whole["pile"][:-1]), *whole["pile"][-1:]]


def cascades() -> Tried:
    """All decks in both variants, each with the three passes, with any number of passes, and with one of the other limits."""
    choices = product(("standard", "ace"), (False, True), (False, True), (None, 0, 3))
    others = (4, 5, 6, 7, 8, 9, 4, 9)
    set_ups = tuple(
        {"variant": variant, "pawns": pawns, "courts": courts, "passes": others[number // 3] if passes is None else passes}
        for number, (variant, pawns, courts, passes) in enumerate(choices)
    )
    return Tried(
        # A pass takes 12 turns; where passes are not limited, play goes on as long as now and then a card is placed.
        tuple(SetUp(set_up, 1, 2000, rarely=("resign",)) for set_up in set_ups),
        {
            "stock": until_the_end("stock", masks),
            "waste": until_the_end("waste", lambda waste: [*masks(waste[:-1]), *waste[-1:]]),
            "reserve": covered_reserve,
        },
    )


def covered_reserve(viewer: Viewer, whole: Mapping[str, Any]) -> list[Any]:
    """All cards of closed piles, and all but the top card of open ones, while the game goes on (CSC-44)."""
    if whole["phase"] == "game_over":
        return list(whole["reserve"])
    piles = zip(whole["reserve"], whole["reserve_open"], strict=True)
    return [[*masks(pile[:-1]), *pile[-1:]] if is_open else masks(pile) for pile, is_open in piles]


def quartett_trumpf() -> Tried:
    """Decks of 8, 12 and 32 cards, both ways with the rest and with ties, limits and none, from two seats to one card each."""
    chosen: list[tuple[dict[str, Any], int]] = [
        ({"deck_def": "metals", "round_limit": 6}, 5),
        ({"deck_def": "metals"}, 2),
        ({"deck_def": "metals", "remainder": "deal", "deals": 2}, 5),
        ({"deck_def": "metals", "remainder": "deal", "round_limit": 25}, 2),
        ({"deck_def": "metals", "remainder": "set_aside", "deals": 3, "round_limit": 1}, 7),
        ({"deck_def": "metals"}, 12),
        ({"deck_def": waters()}, 2),
        ({"deck_def": waters(), "deals": 3}, 3),
        ({"deck_def": waters(), "deals": 2, "remainder": "deal"}, 3),
        ({"deck_def": waters(), "deals": 2, "round_limit": 12}, 4),
        ({"deck_def": waters(), "deals": 99, "remainder": "deal"}, 6),
        ({"round_limit": 60}, 2),
        ({"deals": 2, "round_limit": 30}, 3),
        ({"remainder": "deal"}, 6),
        ({"deals": 2}, 32),
        ({"deck_def": planes()}, 2),
        ({"deck_def": planes(), "tie_break": "tied", "deals": 2}, 3),
        ({"deck_def": "metals", "tie_break": "tied", "deals": 3}, 4),
        ({"deck_def": waters(), "tie_break": "tied", "deals": 99, "remainder": "deal"}, 5),
        ({"tie_break": "tied", "round_limit": 60}, 3),
    ]
    return Tried(
        # A hand that is not limited took up to 1,200 moves in trials: there is nothing that must end it.
        tuple(SetUp(options, seats, 20_000) for options, seats in chosen),
        {"hands": stacks, "set_aside": from_seats("set_aside")},
    )


def stacks(viewer: Viewer, whole: Mapping[str, Any]) -> list[Any]:
    """A seat sees its top card, with three cards or fewer all of them; nobody else sees any."""
    seen = [stack if len(stack) <= 3 else [*stack[:1], *masks(stack[1:])] for stack in whole["hands"]]
    return [stack if seat == viewer.who else masks(stack) for seat, stack in enumerate(seen)]


def quartett_classic() -> Tried:
    """The same decks, from three seats to one card each."""
    chosen: list[tuple[dict[str, Any], int]] = [
        ({"deck_def": "metals"}, 3),
        ({"deck_def": "metals", "deals": 3, "ask_limit": 9}, 4),
        ({"deck_def": "metals", "deals": 2}, 5),
        ({"deck_def": waters(), "deals": 20}, 3),
        ({"deck_def": waters(), "deals": 99, "ask_limit": 4}, 8),
        ({"deals": 2}, 3),
        ({}, 4),
        ({"ask_limit": 100}, 7),
        ({"deals": 2, "ask_limit": 20}, 32),
        ({"deck_def": "metals", "ask_limit": 1}, 12),
        ({"deck_def": planes(), "deals": 3}, 3),
    ]
    return Tried(tuple(SetUp(options, seats, 5_000) for options, seats in chosen), {"hands": hands_of_others})


def hands_of_others(viewer: Viewer, whole: Mapping[str, Any]) -> list[Any]:
    """COM-32: other seats are all seats but the owner, partners included, and the public."""
    return [hand if seat == viewer.who else masks(hand) for seat, hand in enumerate(whole["hands"])]


def from_seats(field: str) -> Callable[[Viewer, Mapping[str, Any]], Any]:
    """Hidden from all seats and the public."""
    return lambda viewer, whole: masks(whole[field])


def until_the_end(field: str, mask: Callable[[Any], Any]) -> Callable[[Viewer, Mapping[str, Any]], Any]:
    """Hidden from all seats and the public while the game goes on, as ``mask`` says."""
    return lambda viewer, whole: whole[field] if whole["phase"] == "game_over" else mask(whole[field])


def masks(cards: Iterable[Any]) -> list[Any]:
    """A list, or lists in a list, with every card turned into ``"?"``."""
    return ["?" if isinstance(card, str) else masks(card) for card in cards]


TRIED: Mapping[str, Callable[[], Tried]] = {
    "alcasan": alcasan,
    "canasta": canasta,
    "cascades": cascades,
    "casino": casino,
    "quartett-classic": quartett_classic,
    "quartett-trumpf": quartett_trumpf,
}
"""By ruleset."""
