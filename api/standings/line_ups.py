"""Other players of an entrant, in words: those who were replaced, and substitutes for some rounds."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, pairwise

from domain.texts import Texts, load_catalog, words_of
from domain.tournament.state import Entrant


def describe_line_ups(one: Entrant, last: int, shown: Mapping[str, str], language: str) -> str:
    """Return the words for the rounds up to ``last``; empty where the same players stood for the entrant in all of them."""
    if len(one.line_ups) == 1:
        return ""
    words, rounds = words_of(load_catalog(__package__), language), range(one.from_round, last + 1)
    return "; ".join([*_list_replaced(one, rounds, shown, words), *_list_substitutes(one, rounds, shown, words)])


def _list_replaced(one: Entrant, rounds: range, shown: Mapping[str, str], words: Texts) -> Iterator[str]:
    """Yield who was replaced for good, and from which round on."""
    for before, round in pairwise(rounds):
        if gone := _names(one.regulars(before), one.regulars(round), shown, words):
            yield words["replaced"].format(names=gone, round=round)


def _list_substitutes(one: Entrant, rounds: range, shown: Mapping[str, str], words: Texts) -> Iterator[str]:
    """Yield who stood for the entrant in some rounds only."""
    for names, some in groupby(rounds, lambda round: _names(one.players(round), one.regulars(round), shown, words)):
        if names:
            first, *others = some
            key = "substitute.rounds" if others else "substitute"
            yield words[key].format(names=names, round=first, last=others[-1] if others else first)


def _names(players: Sequence[str], others: Sequence[str], shown: Mapping[str, str], words: Texts) -> str:
    """Return the names of those who are not among the others."""
    return f" {words['and']} ".join(shown[player] for player in players if player not in others)
