"""Record a hand of Casino, as its players play it: ``python record_hand.py URL TOKEN``."""

import sys

from kiebitz_client import Kiebitz, Refused

DECK = ["3H", "9C", "6S", "5D", "4C", "KC", "KS", "KD", "KH", "QH", "QS", "QD"]


def record_hand(url: str, token: str) -> None:
    with Kiebitz(url, token) as kiebitz:
        game = kiebitz.open_game("casino", seats=2, options={"sweeps": True})
        game.deal(dealer=1, deck=DECK, fill="sorted")
        try:
            game.play({"type": "capture", "card": "9C", "groups": [["5D"]]})
        except Refused as refusal:
            print(refusal.code, *refusal.rules, refusal.detail)
        game.play(text="9c -")  # a move as a line of the notation
        while game.turn is not None:
            game.play(game.legal_moves[-1])
        print(f"position {game.position}: {game.phase}, points {game.answer['closed_hands'][0]['points']}")


if __name__ == "__main__":
    record_hand(*sys.argv[1:])
