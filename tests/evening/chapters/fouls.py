"""Moves that break the rules, in every game: those of other hands, with cards of this one. Judged only, so that nothing is recorded."""

from random import Random
from typing import Any

from tests.evening.book import Book
from tests.evening.chapters.cases import cases

GAMES, MOVES = 24, 24
"""So many games of each ruleset, and so many moves in each."""


def evening(book: Book) -> None:
    moves: dict[str, list[Any]] = {}
    for case in cases():
        moves.setdefault(case["ruleset"], []).extend(
            move["move"] for hand in case["hands"] for move in hand.get("moves", ()) if "move" in move
        )
    for ruleset, known in sorted(moves.items()):
        chance = Random(ruleset)
        for game in book.get(f"/v1/games?ruleset={ruleset}&finished=false&state=open&limit=200")["items"][-GAMES:]:
            if game["to_act"]:
                _judged(book, game["id"], game["to_act"][0], known, chance)


def _judged(book: Book, game: str, seat: int, moves: list[Any], chance: Random) -> None:
    hands = book.get(f"/v1/games/{game}/table").json().get("hands") or [[]]
    cards = hands[seat % len(hands)] or ["?"]
    for number in range(MOVES):
        move = _changed(chance.choice(moves), cards, chance)
        book.post(f"/v1/games/{game}/legal-moves", {"seat": seat, "move": move}, accept_language=("en", "de")[number % 2])


def _changed(value: Any, cards: list[Any], chance: Random) -> Any:
    """The same move, about other cards here and there."""
    if isinstance(value, dict):
        return {key: one if key == "type" else _changed(one, cards, chance) for key, one in value.items()}
    if isinstance(value, list):
        return [_changed(one, cards, chance) for one in value]
    return chance.choice(cards) if isinstance(value, str) and chance.random() < 0.5 else value
