"""Play, be refused, miss something, follow, list and copy scores, in one program: ``python record_and_follow.py URL TOKEN FILE``."""

import sys

from kiebitz_client import ConflictError, Kiebitz, Refused
from kiebitz_client.moves import CasinoCapture

DECK = ["3H", "9C", "6S", "5D", "4C", "KC", "KS", "KD", "KH", "QH", "QS", "QD"]


def record_and_follow(url: str, token: str, file: str) -> None:
    with Kiebitz(url, token) as kiebitz:
        game = kiebitz.open_game("casino", seats=2, options={"target": 1})
        game.deal(dealer=1, deck=DECK, fill="sorted")
        try:
            game.play(CasinoCapture(card="9C", groups=[["5D"]]))
        except Refused as refusal:
            print("refused:", refusal.code, *refusal.rules)
        colleague = kiebitz.game(game.id)
        colleague.play(text="9c -")
        try:
            game.play(text="3h -")
        except ConflictError as conflict:
            print("missed:", *(event["body"]["move"]["card"] for event in conflict.missed))
            game.refresh()
        while game.turn is not None:
            game.play(game.legal_moves[-1])
        print("followed:", sum(1 for _ in game.follow(follow=False)), "events to position", game.position)
        kiebitz.read("/v1/scores", min_sequence=game.answer["sequence"])
        print("copied:", kiebitz.scores.sync(file).changed > 0, "and nothing twice:", kiebitz.scores.sync(file).changed == 0)
        print("listed:", game.id in {one["id"] for one in kiebitz.games(finished=True)})


if __name__ == "__main__":
    record_and_follow(*sys.argv[1:])
