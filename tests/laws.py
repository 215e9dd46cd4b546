"""Laws that hold for every game (``docs/architecture.md``), each a function that yields every breach it finds.

A law checks a ``Playout``: a game played at random to its end, with the table before and after each step. It knows no particular game;
facts about one are in ``tests/domain/games/setups.py``. No breach means that the law holds.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import islice
from random import Random
from typing import Any, NamedTuple, TypeAlias
from uuid import UUID

import msgspec

from domain import codec
from domain.binding import BoundRules
from domain.cards import HIDDEN, Card, Seat
from domain.effects import CardsMoved, DetailAnnounced, Effects, GameClosed, HandClosed, MarkSet, ZoneAdded
from domain.errors import Refused
from domain.events import Event, Recorded, Stamp, digest
from domain.events.game import GameOpened, HandDealt, MovePlayed
from domain.game import Game, project
from domain.journal.snapshots import decode_snapshot, encode_snapshot
from domain.moves import play_moves
from domain.rules import Move, Rulebook, Ruleset
from domain.score import sheet
from domain.sight import ARBITER, PUBLIC, Viewer, build_possible_table, masked, redact_effects, visible_from
from domain.signs import check_sign
from domain.table import Table, Zone, fold, pick_cards
from domain.unknown_cards.support import list_entered_cards
from tests.projections.histories import table_at

Breaches: TypeAlias = Iterator[str]

GAME = UUID(int=1)
CLOCK = Stamp(datetime(2026, 1, 1, 12, tzinfo=UTC), "recorder")
_MOST_MOVES_LISTED = 60


class Step(NamedTuple):
    """A deal (``move`` is None, ``seat`` the dealer) or a move."""

    before: Table
    seat: Seat
    move: Move | None
    effects: Effects
    after: Table
    deck: tuple[Card, ...]
    """The order of the deck of this hand."""


class Playout(NamedTuple):
    """A random game."""

    ruleset: Ruleset
    rulebook: Rulebook
    steps: tuple[Step, ...]
    seed: str
    looks: int = 1_000_000
    """Number of steps, chosen at random, at which expensive laws are checked."""

    @property
    def viewers(self) -> tuple[Viewer, ...]:
        return (*(Viewer(seat) for seat in range(self.rulebook.setup.seats)), PUBLIC)

    def random(self, purpose: str) -> Random:
        """Return a random generator for one purpose, the same in every run."""
        return Random(f"{self.seed}/{purpose}")

    def moves(self) -> Iterator[tuple[Step, Move]]:
        return ((step, step.move) for step in self.steps if step.move is not None)

    def looked_at(self, purpose: str) -> list[tuple[int, Step]]:
        """Return some steps with their numbers, in order."""
        numbers = range(len(self.steps))
        return [(number, self.steps[number]) for number in sorted(self._some(numbers, purpose))]

    def some_moves(self, purpose: str) -> list[tuple[Step, Move]]:
        """Return forty moves at most, for laws that try many variations of each."""
        return self._some(list(self.moves()), purpose)[:40]

    def _some(self, values: Sequence[Any], purpose: str) -> list[Any]:
        return self.random(purpose).sample(values, min(len(values), self.looks))


def play(ruleset: Ruleset, rulebook: Rulebook, seed: str, longest: int, rarely: Collection[str] = ()) -> Playout:
    """Play a random game of at most ``longest`` moves. It also ends if the rulebook offers no move, which the laws will report.

    Moves of the types ``rarely`` are made in one of three hundred cases: giving up would end most games before they have begun.
    """
    chance = Random(seed)
    table, steps = Table(rulebook.setup), []
    deck: tuple[Card, ...] = ()
    for _ in range(longest):
        if table.phase == "game_over":
            break
        if not table.in_hand:
            deck = tuple(chance.sample(rulebook.deck, len(rulebook.deck)))
            step = deal(rulebook, table, deck, chance)
        else:
            seat = chance.choice(table.to_act)
            moves = legal(rulebook, table, seat)
            if not moves:
                break
            move = chance.choice(_likely(moves, rarely, chance) if rarely else moves)
            effects = rulebook.resolve(table, seat, move)
            step = Step(table, seat, move, effects, fold(table, effects), deck)
        steps.append(step)
        table = step.after
    return Playout(ruleset, rulebook, tuple(steps), seed)


def _likely(moves: list[Move], rarely: Collection[str], chance: Random) -> list[Move]:
    often = [move for move in moves if move["type"] not in rarely]
    return moves if not often or chance.randrange(300) == 0 else often


def deal(rulebook: Rulebook, table: Table, deck: tuple[Card, ...], chance: Random) -> Step:
    """Deal, by a random seat among those that the game lets deal."""
    seats = range(rulebook.setup.seats)
    for dealer in chance.sample(seats, len(seats)):
        try:
            effects = rulebook.deal(table, dealer, deck)
        except Refused as refused:
            if refused.code != "bad_dealer":
                raise
            continue
        return Step(table, dealer, None, effects, fold(table, effects), deck)
    raise AssertionError("nobody may deal")


def legal(rulebook: Rulebook, table: Table, seat: Seat) -> list[Move]:
    """Return the moves that a player would be offered, given what they see."""
    return list(islice(rulebook.legal(masked(table, Viewer(seat)), seat), _MOST_MOVES_LISTED))


# The table


def cards_are_conserved(playout: Playout) -> Breaches:
    """Check that at every position the table holds exactly the cards of the deck."""
    whole = sorted(playout.rulebook.deck)
    for number, step in enumerate(playout.steps):
        if sorted(lying(step.after)) != whole:
            yield f"step {number}: {step.move} leaves {len(lying(step.after))} cards of {len(whole)}, or other ones"


def the_game_ends(playout: Playout) -> Breaches:
    table = playout.steps[-1].after
    if table.phase != "game_over":
        yield f"after {len(playout.steps)} steps the phase is {table.phase!r}"
    if not sheet(table.setup, table.score).finished:
        yield "the sheet is not finished"


def places_fit_the_parties(playout: Playout) -> Breaches:
    """Check that at the end every party has a place or none, and every hand has every row with a number per party (COM-40)."""
    table = playout.steps[-1].after
    done, parties, rows = sheet(table.setup, table.score), len(table.setup.parties), table.setup.rows
    if len(done.places or ()) != parties:
        yield f"{done.places} are no places for {parties} parties"
    if done.places is not None and playout.rulebook.places(done) != done.places:
        yield f"by the sheet the places are {playout.rulebook.places(done)}, not {done.places}"
    for hand in done.hands:
        if tuple(hand.rows) != rows or {len(points) for points in hand.rows.values()} != {parties}:
            yield f"hand {hand.hand} has the rows {hand.rows}"
    numbers = [hand.hand for hand in done.hands]
    if numbers != list(range(1, len(numbers) + 1)):
        yield f"the hands are numbered {numbers}"


def the_turn_is_told_well(playout: Playout) -> Breaches:
    """Check COM-30: in a hand somebody is to act, sorted and each once, and only seats of the game; between hands nobody."""
    for number, step in enumerate(playout.steps):
        table = step.after
        to_act = table.to_act
        if to_act != tuple(sorted(set(to_act))) or not set(to_act) <= set(range(table.setup.seats)):
            yield f"step {number}: to_act is {to_act}"
        if table.in_hand != bool(to_act):
            yield f"step {number}: in phase {table.phase!r} to_act is {to_act}"


# The moves


def whoever_is_to_act_has_a_move(playout: Playout) -> Breaches:
    for number, step in playout.looked_at("moves"):
        for seat in range(playout.rulebook.setup.seats):
            moves = legal(playout.rulebook, step.after, seat)
            if bool(moves) != (seat in step.after.to_act):
                yield f"step {number}: seat {seat} has {len(moves)} moves, to_act is {step.after.to_act}"


def every_listed_move_is_accepted(playout: Playout) -> Breaches:
    """Check that a listed move is legal on the true table, and on every other table that the player cannot tell from it."""
    chance = playout.random("listed")
    for number, step in playout.looked_at("accepted"):
        for seat in step.after.to_act:
            tables = (step.after, shuffled_for(step.after, Viewer(seat), chance))
            for move in legal(playout.rulebook, step.after, seat):
                for table in tables:
                    refused = refusal(playout.rulebook, table, seat, move)
                    if refused:
                        yield f"step {number}: {move} of seat {seat} is listed, but refused: {refused.code} {refused.detail}"


def legal_moves_are_listed_once_in_a_stable_order(playout: Playout) -> Breaches:
    for number, step in playout.looked_at("once"):
        for seat in step.after.to_act:
            moves = legal(playout.rulebook, step.after, seat)
            if legal(playout.rulebook, step.after, seat) != moves:
                yield f"step {number}: seat {seat} is told another list the second time"
            if len({msgspec.json.encode(move, order="sorted") for move in moves}) < len(moves):
                yield f"step {number}: seat {seat} is told a move twice"


def a_refused_move_says_why_and_changes_nothing(playout: Playout) -> Breaches:
    """Check that every refusal has a code of the game's table, cites a rule (COM-27), has a sentence, and leaves the table unchanged."""
    codes = playout.ruleset.about().codes
    for number, (step, seat, move) in enumerate(_attempts(playout)):
        before = msgspec.json.encode(step.before)
        refused = refusal(playout.rulebook, step.before, seat, move)
        if msgspec.json.encode(step.before) != before:
            yield f"attempt {number}: {move} was refused, but changed the table"
        if refused is None:
            continue
        if refused.code not in codes:
            yield f"attempt {number}: {move} is refused with {refused.code!r}, which is not in the table of codes"
        if not refused.rules:
            yield f"attempt {number}: {move} is refused with {refused.code!r} and no rule"
        for language in ("en", "de"):
            said = playout.ruleset.sentence(refused, language)
            if not said or said == refused.code:
                yield f"attempt {number}: {refused.code!r} cannot be said in {language!r}"


def a_refusal_knows_no_more_than_the_player(playout: Playout) -> Breaches:
    """Check that a refusal, its code, detail and sentence do not depend on cards that the player cannot see, even in their own pile.

    So a refusal can be answered from the player's view.
    """
    chance = playout.random("refusals")
    for step, seat, move in (*_attempts(playout), *_guesses(playout)):
        viewer = Viewer(seat if type(seat) is int else "public")
        others = shuffled_for(step.before, viewer, chance), build_possible_table(step.before, viewer, playout.rulebook.deck)
        said, *again = (
            refused and (refused.code, refused.rules, refused.detail, playout.ruleset.sentence(refused, "en"))
            for refused in (refusal(playout.rulebook, table, seat, move) for table in (step.before, *others))
        )
        if wrong := [answer for answer in again if answer != said]:
            yield f"{move} of seat {seat} is answered {said}, but {wrong[0]} if the hidden cards lay otherwise"


def _attempts(playout: Playout) -> Iterator[tuple[Step, object, object]]:
    """Yield moves altered in some way, most of them illegal, on a sample of positions."""
    chance = playout.random("attempts")
    moves = list(playout.moves())
    seats = playout.rulebook.setup.seats
    for step, move in playout.some_moves("attempted"):
        other = chance.choice(moves)[1]
        card, name = chance.choice(playout.rulebook.deck), chance.choice(list(move))
        attempts: tuple[object, ...] = (
            other,
            {**move, "unheard of": 1},
            {key: value for key, value in move.items() if key != name},
            {**move, name: chance.choice([None, True, -1, 1.5, 10**30, "\ud800", [], {}, [[]], "?", card, [card], [[card]]])},
            {name: swapped(value, card, chance) for name, value in move.items()},
            {"type": "unheard of"},
            chance.choice([None, [], "draw", 7, {}, {"type": 1}, {"type": None}]),
        )
        for attempt in attempts:
            yield step, step.seat, attempt
        yield step, (step.seat + 1) % seats, move
        yield step, chance.choice([None, True, -1, seats, "0", 1.0, [0]]), move


def _guesses(playout: Playout) -> Iterator[tuple[Step, object, object]]:
    """Yield moves that name cards which their player has not seen, and moves that they are offered, since refusals could leak
    information.
    """
    chance = playout.random("guesses")
    for step, move in playout.some_moves("guessed"):
        for guess in chance.sample(lying(step.before), min(len(lying(step.before)), 6)):
            yield step, step.seat, {name: value if name == "type" else named(value, guess) for name, value in move.items()}
        for offered in legal(playout.rulebook, step.before, step.seat)[:10]:
            yield step, step.seat, offered


def named(value: Any, card: Card) -> Any:
    """Return the value with its first text replaced by the card."""
    match value:
        case str():
            return card
        case [first, *others]:
            return [named(first, card), *others]
        case _:
            return value


def swapped(value: Any, card: Card, chance: Random) -> Any:
    """Return the value with some text replaced by the card, so that a move names another card than it should."""
    if isinstance(value, str):
        return card if chance.random() < 0.5 else value
    if isinstance(value, list | tuple):
        return [swapped(item, card, chance) for item in value]
    return value


def refusal(rulebook: Rulebook, table: Table, seat: object, move: object) -> Refused | None:
    try:
        rulebook.resolve(table, seat, move)
    except Refused as refused:
        return refused
    return None


def what_a_game_writes_is_in_its_lists(playout: Playout) -> Breaches:
    """Check that marks, phases and the zones that moves lay are those that an official may write, too."""
    for number, step in enumerate(playout.steps):
        table = step.before
        for effect in step.effects:
            if step.move is not None or not isinstance(effect, ZoneAdded):
                try:
                    check_sign(playout.rulebook.signs, table, effect)
                except Refused as refused:
                    yield f"step {number}: {effect} is {refused.code}"
            table = fold(table, (effect,))


# What is hidden


def what_a_viewer_folds_is_what_he_would_see(playout: Playout) -> Breaches:
    for number, step in playout.looked_at("folds"):
        for viewer in playout.viewers:
            told = redact_effects(viewer, step.before, step.effects)
            if masked(fold(masked(step.before, viewer), told), viewer) != masked(step.after, viewer):
                yield f"step {number}: {viewer.who} is told {told}"


Hidden: TypeAlias = Mapping[str, Callable[[Viewer, Mapping[str, Any]], Any]]
"""Column "hidden from" of a game's state view: for each field the value for a viewer, given the arbiter's view."""


def a_view_hides_what_the_specification_says(playout: Playout, hidden: Hidden) -> Breaches:
    """Check that every field reads as the arbiter's, except for those that the specification hides (COM-32)."""
    for number, step in playout.looked_at("hides"):
        whole = playout.rulebook.view(masked(step.after, ARBITER))
        for viewer in playout.viewers:
            seen = playout.rulebook.view(masked(step.after, viewer))
            for field in {**whole, **seen}:
                due = hidden[field](viewer, whole) if field in hidden else whole.get(field, "(left out)")
                if msgspec.json.encode(seen.get(field, "(left out)")) != msgspec.json.encode(due):
                    yield f"step {number}: {viewer.who} reads {field} as {seen.get(field)}, due is {due}"


def nobody_is_told_a_face_too_early(playout: Playout) -> Breaches:
    """Check that the cards told of a step are those that the viewer sees before or after it, or that are shown as they move."""
    for number, step in playout.looked_at("early"):
        for viewer in playout.viewers:
            told = {card for cards in _told_cards(redact_effects(viewer, step.before, step.effects)) for card in cards} - {HIDDEN}
            surplus = told - _open_to(viewer, step)
            if surplus:
                yield f"step {number}: {viewer.who} is told of {sorted(surplus)}"


def no_exit_names_a_card_that_the_reader_never_saw(playout: Playout) -> Breaches:
    """Check that the view, and the hand's lines on the sheet, name only cards that the viewer has seen in this hand."""
    codes = frozenset(playout.rulebook.deck)
    seen: dict[Viewer, set[Card]] = {}
    looked_at = {number for number, _ in playout.looked_at("exits")}
    for number, step in enumerate(playout.steps):
        if step.move is None:
            seen = {viewer: set() for viewer in playout.viewers}
        for viewer in playout.viewers:
            seen[viewer] |= _open_to(viewer, step)
        if number not in looked_at:
            continue
        written = names(msgspec.to_builtins(sheet(step.after.setup, step.after.score).hands[step.before.hand - 1 :]), codes)
        for viewer in playout.viewers:
            # The options were settled before any card lay anywhere; a deck may stand among them.
            view = {field: value for field, value in playout.rulebook.view(masked(step.after, viewer)).items() if field != "options"}
            surplus = (written | names(view, codes)) - seen[viewer]
            if surplus:
                yield f"step {number}: {viewer.who} reads of {sorted(surplus)}"


def words_name_open_cards_only(playout: Playout) -> Breaches:
    """Check that a move, a mark, an announcement or a fact names no card that the public cannot see in this step.

    Exceptions are cards that the player does not know either (asking for a card reveals nothing), and those that the mark named before.
    """
    codes = frozenset(playout.rulebook.deck)
    for number, step in enumerate(playout.steps):
        free = _open_to(PUBLIC, step) | (names(step.move, codes) - _faces(masked(step.before, Viewer(step.seat))))
        marks: dict[tuple[str | None, str], object] = {
            (zone, mark): value
            for zone, signs in [(None, step.before.marks), *((name, zone.marks) for name, zone in step.before.zones.items())]
            for mark, value in signs.items()
        }
        words: list[tuple[object, object]] = [(step.move, None)]
        for effect in step.effects:
            match effect:
                case MarkSet(mark=mark, value=value, zone=zone):
                    words.append((value, marks.get((zone, mark))))
                case DetailAnnounced(value=value):
                    words.append((value, None))
                case HandClosed(facts=facts) | GameClosed(facts=facts):
                    words.append((facts, None))
        for word, before in words:
            surplus = names(word, codes) - names(before, codes) - free
            if surplus:
                yield f"step {number}: {word} names {sorted(surplus)}"


def cards_that_nobody_has_seen_change_nothing(playout: Playout) -> Breaches:
    """Check that all viewers are told the same if the game is replayed with the unseen cards of its decks rearranged."""
    chance = playout.random("unseen")
    hands = _hands(playout)
    for hand in chance.choices(hands, k=min(5, playout.looks // 6)):
        until = hand[: chance.randint(1, len(hand))]
        deck = list(until[0].deck)
        places = sorted(_never_seen(playout, until))
        for place, other in zip(places, chance.sample(places, len(places)), strict=True):
            deck[place] = until[0].deck[other]
        yield from _differences(playout, until, tuple(deck))


def _never_seen(playout: Playout, steps: Sequence[Step]) -> set[int]:
    """Return the places in the deck of a hand whose cards nobody has seen, from the deal to the last step."""
    deck = steps[0].deck
    unseen = set(range(len(deck)))
    zones: dict[str, list[int]] = {}
    for step in steps:
        for effect in step.effects:
            if isinstance(effect, ZoneAdded):
                # The whole deck, the next card last; zones of a game are laid empty.
                zones[effect.zone] = list(reversed(range(len(deck)))) if effect.cards else []
            elif isinstance(effect, CardsMoved):
                source = zones[effect.source]
                going = [source[place] for place in pick_cards(tuple(deck[card] for card in source), effect.cards)]
                zones[effect.source] = [card for card in source if card not in going]
                target = zones[effect.target]
                zones[effect.target] = going + target if effect.under else target + going
                unseen -= set(going) if effect.shown else set()
        for viewer in playout.viewers:
            for name, zone in step.after.zones.items():
                unseen -= set(zones[name][visible_from(viewer, zone) :])
    return unseen


def _differences(playout: Playout, until: Sequence[Step], deck: tuple[Card, ...]) -> Breaches:
    table = until[0].before
    for number, step in enumerate(until):
        try:
            effects = (
                playout.rulebook.deal(table, step.seat, deck)
                if step.move is None
                else playout.rulebook.resolve(table, step.seat, step.move)
            )
        except Refused as refused:
            yield f"step {number} of the hand: {step.move} is refused ({refused.code}) if unseen cards lie otherwise"
            return
        after = fold(table, effects)
        for viewer in playout.viewers:
            tales = redact_effects(viewer, step.before, step.effects), redact_effects(viewer, table, effects)
            if tales[0] != tales[1]:
                yield f"step {number} of the hand: {viewer.who} is told {tales[0]}, but {tales[1]} if unseen cards lie otherwise"
            if masked(step.after, viewer) != masked(after, viewer):
                yield f"step {number} of the hand: {viewer.who} sees another table if unseen cards lie otherwise"
        table = after


def _hands(playout: Playout) -> list[tuple[Step, ...]]:
    hands: list[list[Step]] = []
    for step in playout.steps:
        if step.move is None:
            hands.append([])
        hands[-1].append(step)
    return [tuple(hand) for hand in hands]


def shuffled_for(table: Table, viewer: Viewer, chance: Random) -> Table:
    """Return another table that the viewer cannot tell from this one: the cards that they do not see are permuted."""
    look = masked(table, viewer)
    zones = {name: list(zone.cards) for name, zone in table.zones.items()}
    places = [(name, place) for name, zone in look.zones.items() for place, card in enumerate(zone.cards) if card == HIDDEN]
    for (name, place), (other, its_place) in zip(places, chance.sample(places, len(places)), strict=True):
        zones[name][place] = table.zones[other].cards[its_place]
    new = {name: Zone(zone.sight, zone.owner, tuple(zones[name]), zone.marks) for name, zone in table.zones.items()}
    return Table(table.setup, new, table.marks, table.phase, table.turn, table.to_act, table.score)


def _told_cards(told: Effects) -> Iterator[tuple[Card, ...]]:
    return (effect.cards for effect in told if isinstance(effect, CardsMoved | ZoneAdded))


def _open_to(viewer: Viewer, step: Step) -> set[Card]:
    shown = {card for effect in step.effects if isinstance(effect, CardsMoved) and effect.shown for card in effect.cards}
    return shown | _faces(masked(step.before, viewer)) | _faces(masked(step.after, viewer))


def _faces(table: Table) -> set[Card]:
    return set(lying(table)) - {HIDDEN}


def lying(table: Table) -> list[Card]:
    return [card for zone in table.zones.values() for card in zone.cards]


def names(value: object, codes: frozenset[Card]) -> set[Card]:
    """Return every card code anywhere in a value."""
    match value:
        case str():
            return {value} & codes
        case dict():
            return {card for item in (*value, *value.values()) for card in names(item, codes)}
        case list() | tuple():
            return {card for item in value for card in names(item, codes)}
    return set()


# The history


def history(playout: Playout) -> tuple[Recorded, ...]:
    """Decide the playout once more with the aggregate; return its events as they would be stored."""
    setup = playout.rulebook.setup
    edition = playout.ruleset.edition
    events: list[Event] = [GameOpened(setup, edition, (None,) * setup.seats, "game_over")]
    recorded = [codec.encode_event(GAME, 1, None, CLOCK, events[0])]
    game = project(None, recorded)
    assert game
    for step in playout.steps:
        event: Event
        if step.move is None:
            event = game.deal(playout.rulebook, edition, step.seat, list(step.deck), "recorded")
        else:
            [event] = play_moves(game, playout.rulebook, [(step.seat, step.move)])
        recorded.append(codec.encode_event(GAME, game.position + 1, digest(game.last), CLOCK, event))
        game = project(game, recorded[-1:])
        assert game
    return tuple(recorded)


def read_back(recorded: Iterable[Recorded]) -> list[Recorded]:
    return [codec.decode_event(event.stream, event.position, event.name, event.state) for event in recorded]


def what_is_stored_is_what_was_played(playout: Playout) -> Breaches:
    """Check that every event read from its bytes equals the recorded one, and folds to the table that was played on."""
    recorded = history(playout)
    game: Game | None = None
    for event, read in zip(recorded, read_back(recorded), strict=True):
        if read != event:
            yield f"position {event.position} is read as {read.event}"
        game = project(game, [read])
        table = playout.steps[event.position - 2].after if event.position > 1 else Table(playout.rulebook.setup)
        if game is None or strictly(game.table) != strictly(table):
            yield f"position {event.position} folds to another table"


def a_snapshot_is_the_game(playout: Playout) -> Breaches:
    """Check that a snapshot at any position, read back, is the game that was folded."""
    game: Game | None = None
    for event in history(playout):
        game = project(game, [event])
        assert game
        read = decode_snapshot(encode_snapshot(game), event.state)
        if read != game or strictly(read) != strictly(game):
            yield f"position {event.position} comes back as {read}"


def the_same_record_gives_the_same_bytes(playout: Playout) -> Breaches:
    first, second = history(playout), history(playout)
    if [event.state for event in first] != [event.state for event in second]:
        yield "the histories differ"


def a_move_is_stored_with_what_it_did(playout: Playout) -> Breaches:
    for event, step in zip(history(playout)[1:], playout.steps, strict=True):
        match event.event:
            case MovePlayed(seat=seat, effects=effects) | HandDealt(dealer=seat, effects=effects):
                if (seat, effects) != (step.seat, step.effects):
                    yield f"position {event.position} holds {effects}"
            case other:
                yield f"position {event.position} is {other}"


def a_rewind_restores_the_table(playout: Playout) -> Breaches:
    """Check a rewind to a random position of the last hand, through the bytes: play continues from there as it did."""
    recorded = history(playout)
    game = project(None, recorded)
    assert game
    to = playout.random("rewind").randrange(game.dealt_at, game.position)
    restored = table_at(recorded, to)
    assert restored
    back = codec.encode_event(GAME, game.position + 1, digest(game.last), CLOCK, game.rewind(to, None, restored))
    again = project(game, read_back([back]))
    table = playout.steps[to - 2].after
    if again is None or strictly(again.table) != strictly(table):
        yield f"after the rewind to {to} the table is another one"
        return
    step = playout.steps[to - 1]
    assert step.move is not None
    [event] = play_moves(again, playout.rulebook, [(step.seat, step.move)])
    if event.effects != step.effects:
        yield f"after the rewind to {to} the same move does {event.effects}"


def a_deal_that_was_taken_back_is_entered_again(playout: Playout) -> Breaches:
    """Check a deal that is undone before the first move: the table is as before it.

    Dealt again from what its recorder saw, it is as after it.
    """
    recorded = history(playout)[:2]
    game = project(None, recorded)
    before = table_at(recorded, 1)
    assert game
    assert before
    back = codec.encode_event(GAME, 3, digest(game.last), CLOCK, game.rewind(1, None, before))
    undone = project(game, read_back([back]))
    if undone is None or strictly(undone.table) != strictly(before):
        yield "after the deal was taken back the table is another one"
    if isinstance(playout.rulebook, BoundRules) and playout.rulebook.game.telling is None:  # every deck of this game is known
        return
    unknown = (HIDDEN,) * len(playout.rulebook.deck)
    deals = [(number, step) for number, step in enumerate(playout.steps) if step.move is None]
    for number, step in {0: deals[0], -1: deals[-1]}.values():  # one before which nothing was played, and one after hands
        known = list_entered_cards(playout.rulebook, step.before, step.seat, step.effects, ARBITER)
        if strictly(fold(step.before, playout.rulebook.deal(step.before, step.seat, unknown, known))) != strictly(step.after):
            yield f"step {number}: {known} deals another hand"
        open_cards = list_entered_cards(playout.rulebook, step.before, step.seat, step.effects, PUBLIC)
        seen = playout.rulebook.deal(step.before, step.seat, unknown, open_cards)
        if masked(fold(step.before, seen), PUBLIC) != masked(step.after, PUBLIC):
            yield f"step {number}: who saw {open_cards} enters another hand"
        if list_entered_cards(playout.rulebook, step.before, step.seat, seen, ARBITER) != open_cards:
            yield f"step {number}: entered again, {open_cards} are other cards"


def strictly(value: object) -> bytes:
    """Return bytes that are equal only if the values are, with True and 1 distinguished."""
    return msgspec.json.encode(value, order="sorted")


def the_setup_is_settled(playout: Playout) -> Breaches:
    """Check that effective options bind to the same game, so that a stored opening can be continued, and that the setup
    survives encoding.
    """
    setup = playout.rulebook.setup
    again = playout.ruleset.bind(msgspec.json.decode(strictly(setup.options)), setup.seats).setup
    if strictly(again) != strictly(setup):
        yield f"the effective options bind to {again}"
    if strictly(msgspec.json.decode(strictly(setup), type=type(setup))) != strictly(setup):
        yield "the setup does not come back from the store"
    seats = sorted(seat for party in setup.parties for seat in party)
    if seats != list(range(setup.seats)):
        yield f"the parties hold the seats {seats}"
    if len(setup.start_totals) != len(setup.parties):
        yield f"{setup.start_totals} are no totals for {len(setup.parties)} parties"


def moves_follow_their_schema(playout: Playout, accepts: Callable[[object], bool]) -> Breaches:
    """Check that listed moves match the schema of ``about()``, from which clients build forms."""
    for number, (step, move) in enumerate(playout.moves()):
        if not accepts(move):
            yield f"move {number}: {move} of seat {step.seat}"


AT_A_GLANCE: tuple[Callable[[Playout], Breaches], ...] = (
    cards_are_conserved,
    the_game_ends,
    places_fit_the_parties,
    the_turn_is_told_well,
    what_a_game_writes_is_in_its_lists,
    words_name_open_cards_only,
    the_setup_is_settled,
)
"""Laws that take no more time than the game did."""

LAWS: tuple[Callable[[Playout], Breaches], ...] = (
    *AT_A_GLANCE,
    whoever_is_to_act_has_a_move,
    every_listed_move_is_accepted,
    legal_moves_are_listed_once_in_a_stable_order,
    a_refused_move_says_why_and_changes_nothing,
    a_refusal_knows_no_more_than_the_player,
    what_a_viewer_folds_is_what_he_would_see,
    nobody_is_told_a_face_too_early,
    no_exit_names_a_card_that_the_reader_never_saw,
    cards_that_nobody_has_seen_change_nothing,
    what_is_stored_is_what_was_played,
    a_snapshot_is_the_game,
    the_same_record_gives_the_same_bytes,
    a_move_is_stored_with_what_it_did,
    a_rewind_restores_the_table,
    a_deal_that_was_taken_back_is_entered_again,
)
"""Laws that need no knowledge about the game."""
