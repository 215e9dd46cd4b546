"""The audit of a game: every event judged by itself, by the rules it was recorded under, on the recorded table before it.

One wrong event does not spoil the judgement of those after it: they are compared with the table that was recorded, not with the one that
should have been. Only where no table is known (after a gap, after bytes that cannot be read) moves are left unjudged, until the next deal
or rewind lays one. ``docs/audit.md`` describes the findings of an audit and its limits.

An audit names cards and digests: the caller has to check who may see it.
"""

from collections.abc import Sequence

from msgspec import UNSET, Struct
from msgspec.structs import replace

from domain.act_validation import complete_act
from domain.dispute import score_after
from domain.effects import Effects, dealt_deck
from domain.events import NAMES, Event, Recorded, effects_of
from domain.events import game as events
from domain.events.base import Unreadable
from domain.events.played import check_played_at
from domain.events.shuffles import ShuffleEvent
from domain.game import Game, fold_event
from domain.moves import get_known_faces
from domain.opening import opening
from domain.paper import sheet_digest
from domain.ruling import strip_points
from domain.score import Score, fold_score, lift_order, rewind_score, sheet
from domain.table import Table
from domain.time_zones import decode_time_zone
from replay.audit_result import NOTHING, Audit, AuditCollector, StoredContext, compare_stored_context
from replay.chain import Chain, Decks, Pack, check_rewind, find_missing_event, has_next_act
from replay.content import as_stored, in_effects, in_values, same_bytes
from replay.editions import Editions, Rules, refusal, to_client_options

_NO_TABLE = "the table before it is not known"
_NO_ACTS = "what officials did before it is not known"


def audit(history: Sequence[Recorded], editions: Editions, beside: StoredContext = NOTHING) -> Audit:
    """Audit the whole history of one game, in order. Raises nothing, whatever was recorded there."""
    if not history:
        raise ValueError("an audit needs a history")
    walk = _Walk(editions, history, beside)
    for recorded in history:
        walk.apply_event(recorded)
    walk.finish()
    compare_stored_context(walk.findings, history, beside)
    return walk.findings.of_game(history[0].stream, walk.game.setup.ruleset if walk.game else None, len(history))


class _StateAfter(Struct, frozen=True):
    """The state after an event. ``score`` follows from the rules; the score of ``table`` is the recorded one.

    ``known``: no event is missing on which the table depends.
    """

    table: Table
    score: Score
    known: bool


class _Walk:
    """One walk through a history, event by event.

    ``_known``: no event is missing since a deal or rewind laid the table. ``_whole``: no event is missing since the beginning.
    """

    def __init__(self, editions: Editions, history: Sequence[Recorded], beside: StoredContext) -> None:
        self.findings = AuditCollector()
        self.game: Game | None = None
        self._rules = Rules(editions, self.findings)
        self._chain = Chain(self.findings, history)
        self._snapshots = beside.snapshots
        self._decks = Decks(self.findings)
        self._pack = Pack(self.findings)
        self._states: dict[int, _StateAfter] = {}
        self._score = Score()
        self._known = self._whole = True
        self._ruled: Recorded | None = None

    def apply_event(self, recorded: Recorded) -> None:
        before = self.game
        if not self._chain.check_link(recorded):
            self._known = self._whole = False
        if isinstance(recorded.event, Unreadable):
            pass
        elif before is not None:
            self._judge(before, recorded)
        elif isinstance(recorded.event, events.GameOpened):
            self._judge_opening(recorded.position, recorded.event)
        else:
            self._without_opening(recorded)
        # Folded even after a finding: the next event is judged on the recorded state, not on the one that should have been.
        if before is not None or isinstance(recorded.event, events.GameOpened):
            self.game = fold_event(before, recorded)
            if self._known:
                self._pack.check(recorded.position, self.game.table)
            self._states[recorded.position] = _StateAfter(self.game.table, self._score, self._known)
            if self._whole and recorded.position in self._snapshots:
                self._compare_snapshot(self._snapshots[recorded.position], self.game)

    def finish(self) -> None:
        """Compare the recorded sheet with the one that follows from the rules, and look for secrets that were not revealed."""
        self._check_ordered(None)
        if self.game is None or self._chain.last is None:
            return
        self._decks.finish(self.game)
        setup = self.game.setup
        recorded, recomputed = sheet(setup, self.game.table.score), sheet(setup, self._score)
        if not same_bytes(recorded, recomputed):
            self.findings.add_mismatch(self._chain.last.position, "score_sheet", *in_values(recorded, recomputed))

    def _compare_snapshot(self, kept: Game | None, folded: Game) -> None:
        if kept is None:
            self.findings.add_mismatch(folded.position, "snapshot", "it cannot be read", "the game at this position")
        elif not same_bytes(replace(kept, last=b""), replace(folded, last=b"")):
            self.findings.add_mismatch(folded.position, "snapshot", *in_values(replace(kept, last=b""), replace(folded, last=b"")))

    def _without_opening(self, recorded: Recorded) -> None:
        if recorded.position == 1:
            self.findings.add_mismatch(recorded.position, "misplaced", recorded.name, NAMES[events.GameOpened])
        self.findings.leaves(recorded.position, "the opening of the game is not known")

    def _judge_opening(self, position: int, opened: events.GameOpened) -> None:
        self._known = True
        ruleset = self._rules.ruleset(position, opened.setup, opened.edition)
        if ruleset is None:
            return
        with self._rules.judging(position, opened.setup):
            again = opening(
                ruleset,
                to_client_options(opened.setup.options),
                opened.setup.seats,
                opened.players,
                openness=opened.openness,
                tournament=opened.tournament,
                round=opened.round,
                table=opened.table,
                played_at=opened.played_at,
                live=opened.live is UNSET,
                own_moves=opened.own_moves is True,
                shuffle=opened.shuffle,
                time_zone=decode_time_zone(opened.time_zone),
            )
            if not same_bytes(opened, again):
                self.findings.add_mismatch(position, "opening", *in_values(opened, again))

    def _judge(self, before: Game, recorded: Recorded) -> None:
        self._check_ordered(recorded)
        match recorded.event:
            case events.MovePlayed() as move:
                self._judge_move(before, recorded.position, move)
            case events.CardsTold() as told:
                self._judge_known_faces(before, recorded.position, told)
            case events.HandDealt() as dealt:
                self._judge_deal(before, recorded.position, dealt)
            case events.HandReported() as reported:
                self._judge_report(before, recorded.position, reported)
            case events.RewindRecorded() as rewound:
                self._judge_rewind(before, recorded.position, rewound)
            case events.GameOpened():
                self.findings.add_mismatch(recorded.position, "misplaced", recorded.name, "only the first event opens a game")
            case events.IllegalMoveAccepted() as stood:
                self._judge_refused_move(before, recorded.position, stood)
                self._judge_act(before, recorded, stood)
            case events.DisputeRaised(refused_move=events.RefusedMove() as refused) as raised:
                self._judge_refused_move(before, recorded.position, refused)
                self._judge_act(before, recorded, raised)
            case events.OrderLifted() as lifting:
                self._judge_act(before, recorded, lifting)
                self._judge_restored(before, recorded.position, lifting)
            case other:
                self._judge_other(before, recorded, other)

    def _judge_other(self, before: Game, recorded: Recorded, event: Event) -> None:
        if isinstance(event, ShuffleEvent):
            self._judge_shuffle(before, recorded.position, event)
        elif isinstance(event, events.Act):
            self._judge_act(before, recorded, event)
        else:
            self.findings.add_mismatch(recorded.position, "misplaced", recorded.name, "an event of a game")

    # Play

    def _judge_move(self, before: Game, position: int, move: events.MovePlayed) -> None:
        effects = move.effects
        rulebook = self._rules.rulebook(position, before.setup, before.edition)
        if rulebook and not self._known:
            self.findings.leaves(position, _NO_TABLE)
        elif rulebook:
            with self._rules.judging(position, {"seat": move.seat, "move": move.move}):
                before.docket.check_play()
                effects = rulebook.resolve(before.table, move.seat, move.move, get_known_faces(move))
                self._compare(position, move.effects, effects)
        self._score = fold_score(before.setup, self._score, effects)

    def _judge_known_faces(self, before: Game, position: int, told: events.CardsTold) -> None:
        rulebook = self._rules.rulebook(position, before.setup, before.edition)
        if rulebook and not self._known:
            self.findings.leaves(position, _NO_TABLE)
        elif rulebook:
            with self._rules.judging(position, {"known": told.known}):
                before.docket.check_play()
                self._compare(position, told.effects, rulebook.tell(before.table, told.known, told.worth))

    def _judge_deal(self, before: Game, position: int, dealt: events.HandDealt) -> None:
        # A deal lays the whole table again, so events missing before it do not matter from here on.
        known, self._known = self._known, True
        rulebook = self._rules.rulebook(position, before.setup, dealt.edition)
        effects, deck = dealt.effects, dealt_deck(dealt.effects)
        self._pack.expect(rulebook.deck if rulebook else deck)
        if rulebook and not known:
            self.findings.leaves(position, _NO_TABLE)
        elif rulebook:
            with self._rules.judging(position, {"dealer": dealt.dealer, "deck": deck}):
                before.docket.check_play()
                check_played_at(dealt.played_at)
                self._decks.deal(before, position, dealt, rulebook)
                effects = rulebook.deal(before.table, dealt.dealer, deck)
                self._compare(position, dealt.effects, effects)
        self._score = fold_score(before.setup, self._score, effects)

    def _judge_shuffle(self, before: Game, position: int, event: ShuffleEvent) -> None:
        rulebook = self._rules.rulebook(position, before.setup, before.edition)
        if rulebook and not self._whole:
            self.findings.leaves(position, "what was given for the deck before it is not known")
        elif rulebook:
            with self._rules.judging(position, event):
                self._decks.judge(before, position, event, rulebook)

    def _judge_report(self, before: Game, position: int, reported: events.HandReported) -> None:
        """Judge a report: rows, sums, the end and its consequences. The play of the hand is not known."""
        known, self._known = self._known, True  # it clears the table
        rulebook = self._rules.rulebook(position, before.setup, reported.edition)
        effects = reported.effects
        if rulebook and not known:
            self.findings.leaves(position, _NO_TABLE)
        elif rulebook:
            with self._rules.judging(position, {"dealer": reported.dealer, "result": reported.result}):
                before.docket.check_play()
                effects = rulebook.report(before.table, reported.dealer, to_client_options(reported.result))
                self._compare(position, reported.effects, effects)
        self._score = fold_score(before.setup, self._score, effects)
        self.findings.add_remark(position, f"only the result of hand {self._score.hand} is known: there are no moves in it to judge")

    def _compare(self, position: int, recorded: Effects, recomputed: Effects) -> None:
        if not same_bytes(recorded, recomputed):
            self.findings.add_mismatch(position, "effects", *in_effects(recorded, recomputed))

    def _judge_rewind(self, before: Game, position: int, rewound: events.RewindRecorded) -> None:
        state = self._states.get(rewound.to)
        self._known = True
        if state is None:
            self.findings.add_mismatch(position, "restored", f"to {rewound.to}", "there is no such position before it")
            self._score = rewound.restored.score
            return
        self._score = rewind_score(self._score, state.score, position, rewound.ruling)
        if not state.known:
            self.findings.leaves(position, "the table to which it leads back is not known")
            return
        with self._rules.judging(position, {"to": rewound.to}):
            if self._whole:
                check_rewind(before, rewound)
            if not same_bytes(rewound.restored, state.table):
                self.findings.add_mismatch(position, "restored", *in_values(rewound.restored, state.table))

    # Acts of officials

    def _judge_refused_move(self, before: Game, position: int, stood: events.IllegalMoveAccepted | events.RefusedMove) -> None:
        """Judge a move that stood, or that a dispute is about: the rules have to refuse it, for the recorded reason. They cannot judge its
        effects on the table.
        """
        rulebook = self._rules.rulebook(position, before.setup, before.edition)
        if rulebook and self._known:
            reason = refusal(rulebook, before.table, stood.seat, stood.move)
            if reason != (stood.code, stood.rules):
                self.findings.add_mismatch(position, "refused", as_stored((stood.code, stood.rules)), as_stored(reason))

    def _judge_act(self, before: Game, recorded: Recorded, act: events.Act) -> None:
        self._ruled = recorded if isinstance(act, events.DisputeRuled) or has_next_act(act) else None
        rulebook = self._rules.rulebook(recorded.position, before.setup, before.edition)
        if rulebook and not self._whole:
            self.findings.leaves(recorded.position, _NO_ACTS)
        elif rulebook:
            with self._rules.judging(recorded.position, act):
                expected = complete_act(before, act, lambda: rulebook)
                if not same_bytes(act, expected):
                    self.findings.add_mismatch(recorded.position, "act", *in_values(act, expected))
        if isinstance(act, events.SheetSigned):
            self._judge_signature(before, recorded.position, act)
        if not isinstance(act, events.OrderLifted) or act.restored is None:
            self._score = score_after(fold_score(before.setup, self._score, effects_of(act)), recorded)

    def _judge_signature(self, before: Game, position: int, signed: events.SheetSigned) -> None:
        """Judge a signature: the digest has to be that of the sheet at the position that was signed."""
        state = self._states.get(signed.position)
        if not self._whole or state is None:  # the act is left unjudged then, or refused
            return
        digest = sheet_digest(sheet(before.setup, state.table.score))
        if signed.digest != digest:
            self.findings.add_mismatch(position, "act", f"digest: {signed.digest}", f"digest: {digest}")

    def _judge_restored(self, before: Game, position: int, act: events.OrderLifted) -> None:
        """Judge a lifted order: it can be lifted as long as the table lies as the order left it, and the restored table is the one before
        it.
        """
        if act.restored is None:
            return
        known, self._known = self._known, True
        former, ordered = self._states.get(act.position - 1), self._states.get(act.position)
        if former is None or ordered is None:
            self.findings.add_mismatch(position, "restored", f"to {act.position - 1}", "there is no such position before it")
            self._score = act.restored.score
            return
        self._score = lift_order(self._score, position, act.position, act.ruling, former.score, act.places)
        if not (known and former.known and ordered.known):
            self.findings.leaves(position, "the table to which it leads back is not known")
        elif not same_bytes(act.restored, former.table):
            self.findings.add_mismatch(position, "restored", *in_values(act.restored, former.table))
        elif not same_bytes(strip_points(before.table), strip_points(ordered.table)):
            self.findings.add_mismatch(position, "restored", *in_values(strip_points(before.table), strip_points(ordered.table)))

    def _check_ordered(self, following: Recorded | None) -> None:
        """Check that the events that a ruling orders follow it at once: they are recorded with it."""
        ruled, self._ruled = self._ruled, None
        if ruled is None or not self._whole:
            return
        due = find_missing_event(ruled.event, following.event if following else None)
        if due:
            self.findings.add_mismatch(ruled.position, "act", f"{following.name if following else 'nothing'} after it", due)
