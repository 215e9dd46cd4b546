"""The audit: every event of a game judged by itself, by the rules it was recorded under, on the recorded table before it.

One wrong event does not spoil the judgement of those after it: they are held against the table that was recorded, not against
the one that should have been. Only where no table is known (after a gap, after bytes that cannot be read) moves are left
unjudged, until the next deal or rewind lays one. ``docs/audit.md`` tells what is found and what cannot be.

An audit names cards and digests: to whom it may be given is the caller's to decide.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import TypeAlias

import msgspec
from msgspec import Struct

from domain.cards import Card
from domain.dispute import score_after
from domain.effects import Effects, dealt_deck
from domain.errors import Malformed, Refused
from domain.events import (
    NAMES,
    GameOpened,
    GameRewound,
    HandDealt,
    MovePlayed,
    MoveStood,
    PointsAdjusted,
    Recorded,
    TableRectified,
    Unreadable,
    digest,
)
from domain.game import Game, evolve, opening
from domain.rules import Rulebook, Ruleset
from domain.score import Score, fold_score, sheet, taken_back
from domain.setup import Setup
from domain.table import Table
from domain.upcasts import UPCASTS
from replay.differences import Sides, in_cards, in_effects, in_values, same, shortened, written
from replay.findings import Audit, Findings

Editions: TypeAlias = Mapping[tuple[str, int], Ruleset]
"""Rulesets by key and edition, older editions among them."""

_READABLE = frozenset({*NAMES.values(), *UPCASTS})
_NO_TABLE = "the table before it is not known"


def audit(history: Sequence[Recorded], editions: Editions) -> Audit:
    """``history`` is the whole history of one game, in order. Raises nothing, whatever was recorded there."""
    if not history:
        raise ValueError("an audit needs a history")
    walk = _Walk(editions)
    for recorded in history:
        walk.follow(recorded)
    walk.compare_sheets()
    return walk.findings.told(history[0].stream, walk.game.setup.ruleset if walk.game else None, len(history))


class _Place(Struct, frozen=True):
    """How it stands after an event. ``score`` is what the rules make of the game; the table's own is what was recorded.

    ``known``: no event is missing that the table would tell of. ``edition``: of the hand.
    """

    table: Table
    score: Score
    known: bool
    edition: int


class _Walk:
    """One walk through a history, event by event."""

    def __init__(self, editions: Editions) -> None:
        self.findings = Findings()
        self.game: Game | None = None
        self._editions = editions
        self._rulebooks: dict[int, Rulebook | None] = {}
        self._places: dict[int, _Place] = {}
        self._last: Recorded | None = None
        self._score = Score()
        self._known = True
        self._edition = 0
        self._deck: tuple[Card, ...] = ()
        self._in_order: list[Card] = []
        self._amiss: Sides | None = None

    def follow(self, recorded: Recorded) -> None:
        self._check_place(recorded)
        before, self._last = self.game, recorded
        if isinstance(recorded.event, Unreadable):
            self._unreadable(recorded, recorded.event)
        elif before is not None:
            self._judge(before, recorded)
        elif isinstance(recorded.event, GameOpened):
            self._judge_opening(recorded, recorded.event)
        else:
            self._without_opening(recorded)
        if before is not None or isinstance(recorded.event, GameOpened):
            self.game = evolve(before, recorded)
            self._check_cards(recorded.position, self.game.table)
            self._places[recorded.position] = _Place(self.game.table, self._score, self._known, self._edition)

    def compare_sheets(self) -> None:
        """The sheet as it stands beside the one that the rules make of the deals and moves that stand."""
        if self.game is None or self._last is None:
            return
        setup = self.game.setup
        recorded, recomputed = sheet(setup, self.game.table.score), sheet(setup, self._score)
        if not same(recorded, recomputed):
            self.findings.diverges(self._last.position, "score_sheet", *in_values(recorded, recomputed))

    # Where it stands

    def _check_place(self, recorded: Recorded) -> None:
        last = self._last
        due = last.position + 1 if last else 1
        link = digest(last.state) if last else None
        if recorded.position != due:
            self.findings.diverges(recorded.position, "gap", f"position {recorded.position}", f"position {due}")
            self._known = False
        elif recorded.link != link and not isinstance(recorded.event, Unreadable):
            self.findings.diverges(recorded.position, "link", str(recorded.link), str(link))
        if last and not isinstance(recorded.event, Unreadable) and recorded.stamp.at < last.stamp.at:
            self.findings.remarks(recorded.position, f"recorded at {recorded.stamp.at}, the event before it at {last.stamp.at}")

    def _check_cards(self, position: int, table: Table) -> None:
        """Told where it begins and where it changes, not at every position from there on."""
        if not self._known or not table.zones:
            return
        lying = [card for zone in table.zones.values() for card in zone.cards]
        amiss = None if sorted(lying) == self._in_order else in_cards(lying, self._deck)
        if amiss and amiss != self._amiss:
            self.findings.diverges(position, "cards", *amiss)
        self._amiss = amiss

    def _unreadable(self, recorded: Recorded, event: Unreadable) -> None:
        told = shortened(recorded.state[:1000].decode(errors="replace"))
        self.findings.diverges(recorded.position, "unreadable" if recorded.name in _READABLE else "unknown_name", told, event.problem)
        self._known = False

    def _without_opening(self, recorded: Recorded) -> None:
        if self._last is None or recorded.position == 1:
            self.findings.diverges(recorded.position, "misplaced", recorded.name, NAMES[GameOpened])
        self.findings.leaves(recorded.position, "the opening of the game is not known")

    # What it says

    def _judge_opening(self, recorded: Recorded, opened: GameOpened) -> None:
        self._known, self._edition = True, opened.edition
        ruleset = self._editions.get((opened.setup.ruleset, opened.edition))
        if ruleset is None:
            self.findings.leaves(recorded.position, self._not_kept(opened.setup))
            return
        with self._asking(recorded.position, opened.setup):
            again = opening(
                ruleset,
                _undecoded(opened.setup.options),
                opened.setup.seats,
                opened.players,
                openness=opened.openness,
                tournament=opened.tournament,
                round=opened.round,
                table=opened.table,
            )
            if not same(opened, again):
                self.findings.diverges(recorded.position, "opening", *in_values(opened, again))

    def _judge(self, before: Game, recorded: Recorded) -> None:
        match recorded.event:
            case MovePlayed() as move:
                self._judge_move(before, recorded.position, move)
            case HandDealt() as dealt:
                self._judge_deal(before, recorded.position, dealt)
            case GameRewound() as rewound:
                self._judge_rewind(before, recorded.position, rewound)
            case MoveStood() as stood:
                self._judge_stood(before, recorded.position, stood)
            case PointsAdjusted() as adjusted:
                self._judge_points(before, recorded, adjusted)
            case GameOpened():
                self.findings.diverges(recorded.position, "misplaced", recorded.name, "only the first event opens a game")
            case TableRectified(effects=effects):
                self._score = fold_score(before.setup, self._score, effects)
            case _:
                self._score = score_after(self._score, recorded)

    def _judge_move(self, before: Game, position: int, move: MovePlayed) -> None:
        effects = move.effects
        rulebook = self._rulebook(position, before.setup)
        if rulebook and not self._known:
            self.findings.leaves(position, _NO_TABLE)
        elif rulebook:
            with self._asking(position, {"seat": move.seat, "move": move.move}):
                before.docket.check_play()
                effects = rulebook.resolve(before.table, move.seat, move.move)
                self._compare(position, move.effects, effects)
        self._score = fold_score(before.setup, self._score, effects)

    def _judge_deal(self, before: Game, position: int, dealt: HandDealt) -> None:
        known, self._known = self._known, True
        self._edition = dealt.edition
        rulebook, effects, deck = self._rulebook(position, before.setup), dealt.effects, dealt_deck(dealt.effects)
        self._expect(rulebook.deck if rulebook else deck)
        if rulebook and not known:
            self.findings.leaves(position, _NO_TABLE)
        elif rulebook:
            with self._asking(position, {"dealer": dealt.dealer, "deck": deck}):
                before.docket.check_play()
                effects = rulebook.deal(before.table, dealt.dealer, deck)
                self._compare(position, dealt.effects, effects)
        self._score = fold_score(before.setup, self._score, effects)

    def _judge_rewind(self, before: Game, position: int, rewound: GameRewound) -> None:
        place = self._places.get(rewound.to)
        known, self._known = self._known, True
        if place is None:
            self.findings.diverges(position, "restored", f"to {rewound.to}", "there is no such position before it")
            self._score = rewound.restored.score
            return
        self._score, self._edition = taken_back(self._score, place.score, position, rewound.ruling), place.edition
        if not place.known:
            self.findings.leaves(position, "the table to which it leads back is not known")
            return
        with self._asking(position, {"to": rewound.to}):
            if rewound.ruling is None and known:
                before.check_rewind(rewound.to)
            if not same(rewound.restored, place.table):
                self.findings.diverges(position, "restored", *in_values(rewound.restored, place.table))

    def _judge_stood(self, before: Game, position: int, stood: MoveStood) -> None:
        """The rules have to refuse it, and for the reason that is recorded. What it did is not theirs to say."""
        rulebook = self._rulebook(position, before.setup)
        if rulebook and not self._known:
            self.findings.leaves(position, _NO_TABLE)
        elif rulebook:
            said = refusal(rulebook, before.table, stood.seat, stood.move)
            self.findings.judged += 1
            if said != (stood.code, stood.rules):
                self.findings.diverges(position, "refused", written((stood.code, stood.rules)), written(said))
        self._score = fold_score(before.setup, self._score, stood.effects)

    def _judge_points(self, before: Game, recorded: Recorded, adjusted: PointsAdjusted) -> None:
        """The places of a game that is over are those which the rules make of the new points."""
        rulebook = self._rulebook(recorded.position, before.setup)
        self._score = score_after(self._score, recorded)
        if rulebook and adjusted.places is not None:
            with self._asking(recorded.position, {"party": adjusted.party, "points": adjusted.points}):
                places = rulebook.places(sheet(before.setup, score_after(before.table.score, recorded)))
                if places != adjusted.places:
                    self.findings.diverges(recorded.position, "score_sheet", written(adjusted.places), written(places))

    def _expect(self, deck: tuple[Card, ...]) -> None:
        self._deck, self._in_order, self._amiss = deck, sorted(deck), None

    def _compare(self, position: int, recorded: Effects, recomputed: Effects) -> None:
        if not same(recorded, recomputed):
            self.findings.diverges(position, "effects", *in_effects(recorded, recomputed))

    # By which rules

    def _rulebook(self, position: int, setup: Setup) -> Rulebook | None:
        """Of the edition of the hand; none, and the position left, where it is not kept any more."""
        if self._edition not in self._rulebooks:
            self._rulebooks[self._edition] = self._bound(setup)
        rulebook = self._rulebooks[self._edition]
        if rulebook is None:
            kept = (setup.ruleset, self._edition) in self._editions
            self.findings.leaves(position, "the rules know no game set up like this" if kept else self._not_kept(setup))
        return rulebook

    def _bound(self, setup: Setup) -> Rulebook | None:
        ruleset = self._editions.get((setup.ruleset, self._edition))
        with suppress(Exception):  # options that cannot be bound were found where the game was opened
            return ruleset.bind(_undecoded(setup.options), setup.seats) if ruleset else None
        return None

    def _not_kept(self, setup: Setup) -> str:
        return f"edition {self._edition} of {setup.ruleset} is not kept here"

    @contextmanager
    def _asking(self, position: int, about: object) -> Iterator[None]:
        """Judges: what the rules say against it, and whatever a rulebook raises on a table that no rulebook ever made."""
        self.findings.judged += 1
        try:
            yield
        except (Refused, Malformed) as refused:
            rules = f" ({', '.join(refused.rules)})" if isinstance(refused, Refused) and refused.rules else ""
            self.findings.diverges(position, "refused", written(about), f"{refused.code}{rules}")
        except Exception as error:
            self.findings.diverges(position, "failed", written(about), shortened(f"{type(error).__name__}: {error}"))


def refusal(rulebook: Rulebook, table: Table, seat: object, move: object) -> tuple[str, tuple[str, ...]]:
    """What the rules say against a move; that it is legal, or that they cannot say, in words that are no code."""
    try:
        rulebook.resolve(table, seat, move)
    except Refused as refused:
        return refused.code, refused.rules
    except Exception as error:
        return type(error).__name__, ()
    return "the move is legal", ()


def _undecoded(options: object) -> object:
    """As they came in: lists, where the stored options hold tuples."""
    return msgspec.json.decode(msgspec.json.encode(options))
