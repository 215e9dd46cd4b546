"""Views of standings: every figure with its parts, down to the games."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import groupby, pairwise
from uuid import UUID

from msgspec import UNSET

from api.common.names import names_for_caller
from api.http.decoding import copy_fields
from api.http.media_types import JSON
from api.http.request import Request
from api.http.response import Response, build_etag_response
from api.standings import responses
from api.standings.as_of import AsOf, StandingsAt
from api.tournaments.lots import lots_view
from domain.events import digest
from domain.standings.plan import Outcome
from domain.standings.prize_pools import share_prize_pools
from domain.standings.standings import ChangedRow, ChangedTable, StandingsRow
from domain.standings.tie_breaks import Part, TieBreakValue
from domain.texts import COMMON, Texts, load_catalog, sentence, words_of
from domain.tournament.state import Entrant


def to_number(value: Fraction) -> int | float:
    return value.numerator if value.denominator == 1 else float(value)


def standings_view(
    of: StandingsAt, shown: Mapping[str, str], language: str, *, explained: bool, undecided: int | None
) -> responses.Standings:
    plan, last = of.tournament.plan, len(of.tournament.rounds) if of.as_of.round is None else of.as_of.round
    after = _rounds_over(of, last)
    return responses.Standings(
        tournament=plan.tournament,
        as_of=as_of_view(of.as_of),
        position=of.tournament.position,
        rounds=last,
        after=after,
        open=len(_list_open_rounds(of)),
        heading=_heading(of, after, language),
        undecided=undecided,
        tie_breaks=plan.tie_breaks,
        lots=lots_view(of.tournament),
        lines=[_line(of, line, shown, language, explained) for line in of.lines],
        prizes=award_views(of, shown) or UNSET,
    )


def award_views(of: StandingsAt, shown: Mapping[str, str]) -> list[responses.AwardView]:
    """Return the prizes that the entrants win by these standings."""
    now = of.tournament
    awards = share_prize_pools(now.funds, of.lines, {one.number: one.labels.category for one in now.entrants})
    return [
        copy_fields(
            one, responses.AwardView, shown=[shown[player] for player in players_of(of, one.entrant)], amount=_round_down(one.amount)
        )
        for one in awards
    ]


def _round_down(amount: Fraction) -> int | float:
    whole = math.floor(amount * 100)
    return whole // 100 if whole % 100 == 0 else whole / 100


def _rounds_over(of: StandingsAt, last: int) -> int:
    """Return the number of finished rounds, of the first ``last``, up to the first that is still in play."""
    open = {outcome.round for outcome in of.outcomes if outcome.points is None and outcome.how != "forfeited"}
    in_play = (round.number for round in of.tournament.rounds[:last] if round.number in open and not round.closed)
    return next(in_play, last + 1) - 1


def _list_open_rounds(of: StandingsAt) -> list[int]:
    """Return the round of each table that has no result yet."""
    return [outcome.round for outcome in of.outcomes if outcome.how in ("open", "adjourned")]


def _heading(of: StandingsAt, after: int, language: str) -> str:
    """Return which rounds these standings count, in words. A round in play of which nothing counts yet is not mentioned."""
    counting = max((part.round for line in of.lines for part in line.parts if part.counts), default=0)
    open = sum(round <= max(after, counting) for round in _list_open_rounds(of))
    key = "so_far" if counting > after else "after" if after else "before"
    told = sentence(f"standings.{key}", {"round": max(after, counting, 1)}, language, (COMMON,))
    return f"{told} · {sentence('standings.open', {'open': open}, language, (COMMON,))}" if open else told


def as_of_view(as_of: AsOf) -> responses.AsOfView:
    return copy_fields(as_of, responses.AsOfView)


def players_of(of: StandingsAt, entrant: int) -> tuple[str, ...]:
    """Return the players of an entrant in the last round that counts, apart from substitutes for some rounds."""
    return of.tournament.entrant(entrant).regulars(_last_round(of))


def _last_round(of: StandingsAt) -> int:
    return max(len(of.tournament.rounds), 1) if of.as_of.round is None else of.as_of.round


def _line(of: StandingsAt, line: StandingsRow, shown: Mapping[str, str], language: str, explained: bool) -> responses.StandingsRowView:
    players, labels = players_of(of, line.entrant), of.tournament.entrant(line.entrant).labels
    return copy_fields(
        line,
        responses.StandingsRowView,
        players=players,
        shown=[shown[player] for player in players],
        score=to_number(line.score),
        withdrawn_from=_withdrawn(of, line.entrant),
        club=labels.club or UNSET,
        team=labels.team or UNSET,
        category=labels.category or UNSET,
        for_others=to_number(line.for_others),
        tie_breaks=[_tie_break_view(figure, explained) for figure in line.figures],
        parts=_parts(line.parts) if explained else UNSET,
        note=describe_line_ups(of.tournament.entrant(line.entrant), _last_round(of), shown, language) or UNSET,
    )


def _withdrawn(of: StandingsAt, entrant: int) -> int | None:
    """Return the round from which the entrant is withdrawn, as known in the rounds that count."""
    until = of.tournament.entrant(entrant).until
    return until if until is None or of.as_of.round is None or until <= of.as_of.round else None


def _tie_break_view(figure: TieBreakValue, explained: bool) -> responses.TieBreakView:
    value = None if figure.value is None else to_number(figure.value)
    return responses.TieBreakView(tie_break=figure.tie_break, value=value, parts=_parts(figure.parts) if explained else UNSET)


def _parts(parts: Iterable[Part]) -> list[responses.PartView]:
    return [copy_fields(part, responses.PartView, value=to_number(part.value), games=links(part.games)) for part in parts]


def links(games: Iterable[UUID]) -> list[responses.GameLink]:
    return [responses.GameLink(game=game, url=f"/v1/games/{game}/score-sheet") for game in games]


def row_change_view(before: StandingsAt, after: StandingsAt, one: ChangedRow, shown: Mapping[str, str]) -> responses.MovedView:
    players = players_of(after if one.after else before, one.entrant)
    return responses.MovedView(
        entrant=one.entrant,
        players=players,
        shown=[shown[player] for player in players],
        before=_row_view(one.before),
        after=_row_view(one.after),
    )


def _row_view(line: StandingsRow | None) -> responses.StandingsPlace | None:
    if line is None:
        return None
    return responses.StandingsPlace(
        place=line.place, score=to_number(line.score), tie_breaks=[_tie_break_view(figure, False) for figure in line.figures]
    )


def table_change_view(one: ChangedTable, acts: Iterable[responses.ActView]) -> responses.ChangedTableView:
    sides = [side for side in (one.after, one.before) if side is not None]
    games = {game: None for side in sides for game in side.games}
    return responses.ChangedTableView(
        round=one.round,
        table=one.table,
        parties=sides[0].parties,
        before=_result_view(one.before),
        after=_result_view(one.after),
        games=links(games),
        acts=[act for act in acts if act.game in games],
    )


def _result_view(outcome: Outcome | None) -> responses.OutcomeView | None:
    if outcome is None:
        return None
    return copy_fields(outcome, responses.OutcomeView)


# Other players of an entrant, in words: those who were replaced, and substitutes for some rounds.


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


async def names_of_entrants(request: Request, of: StandingsAt) -> Mapping[str, str]:
    players = (player for entrant in of.tournament.entrants for player in entrant.all_players)
    return await names_for_caller(request, of.tournament.plan.tournament, players)


def standings_response(request: Request, of: StandingsAt, body: bytes, kind: str = JSON, *headers: tuple[str, str]) -> Response:
    return build_etag_response(request, tag_of_standings(of, body), lambda: body, media_type=kind, headers=headers, vary=VARY)


def tag_of_standings(of: StandingsAt, body: bytes) -> str:
    """Return the ETag, of the content: results and names also change without an event of the tournament."""
    return f"{of.tournament.position}.{digest(body)[:16]}"


VARY = "accept, accept-language, authorization"
