"""Display names of players: select the name that a caller may see, by role, by where the caller is signed in, and by tournament.

Officials see names. A caller who is signed in within a tournament sees its players as its director chose for the hall: by name, initials or
alias. Everybody else sees them as the tournament is published. Where no name may be shown, a player goes by the number of the entrant whom
the player stands for. An id is never shown as a name.
"""

import asyncio
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Literal, TypeAlias

from msgspec import Struct

from api.common.consistency import wait_for_head, wait_for_sequence
from api.http.places import tournament_at
from api.http.request import Request, language_of, services_of
from domain import texts
from domain.errors import Refused
from domain.events.tournament import HallNames, Publication
from domain.journal.registers import Person, Registers, initials_of
from domain.texts import say
from domain.tournament.tournament import Tournament
from projections.engine.store import Store
from projections.models.player_places import APPEARANCES, entries_in
from projections.models.players import roots
from projections.models.tournaments import TOURNAMENTS, naming_rules, naming_tournaments

Appearance: TypeAlias = tuple[str, str | None]
"""A player, and the tournament in which they are shown, if there is one."""
Showing: TypeAlias = Literal["all", "names", "initials", "aliases"]
"""The names that may be shown of a person; ``all``: the name, also of a person who objects to it."""


class NameViewer(Struct, frozen=True):
    """The readers of names. ``hall`` is the tournament that the caller is signed in within, ``language`` that of the words shown instead of
    a name.
    """

    sees_all: bool
    hall: str | None
    language: str

    def showing(self, tournament: str | None, publication: Publication, hall_names: HallNames | None) -> Showing:
        """Return which names this audience may see of the players of a tournament."""
        if self.sees_all:
            return "all"
        chosen = hall_names if tournament is not None and tournament == self.hall else None
        if "names" in (publication, chosen):
            return "names"
        return chosen or "aliases"


def name_viewer_of(request: Request) -> NameViewer:
    """Return the audience of this request."""
    user = request.user
    return NameViewer(user.has_full_view, user.visibility.tournament, language_of(request))


def name_of(person: Person | None, showing: Showing) -> str | None:
    """Return the name to show of a person; None where nothing may be shown."""
    if person is None or (person.objects_to_names and showing in ("names", "initials")):
        return None
    match showing:
        case "all" | "names":
            return person.name
        case "initials":
            return person.name and initials_of(person.name)
        case "aliases":
            return person.alias


def word_for_unnamed(language: str) -> str:
    """Return the word for a player of whom nothing may be shown."""
    return texts.render(texts.say("player.unnamed"), language)


def load_display_names(
    registers: Registers, store: Store, some: Collection[Appearance], audience: NameViewer
) -> Mapping[Appearance, str | None]:
    """Return the name to show for each player in each tournament, or in games of none.

    None for a player who has no name to show and stands for no entrant of the tournament. Reads the projections alone: call it in a thread,
    or in a process that makes exports.
    """
    known_by = roots(store, {player for player, _ in some})
    people = registers.find_players(known_by.values())
    rules = naming_rules(store, {tournament for _, tournament in some if tournament is not None})
    shown = {one: name_of(people.get(known_by[one[0]]), audience.showing(one[1], *rules.get(one[1], ("no", None)))) for one in some}
    numbers = _entrants(store, {one[1] for one, name in shown.items() if name is None and one[1] is not None})
    return {one: name or _number_as_name(numbers, one, known_by[one[0]], audience.language) for one, name in shown.items()}


def load_names_in_lists(
    registers: Registers, store: Store, players: Collection[str], audience: NameViewer, publication: Publication = "no"
) -> Mapping[str, str]:
    """Return the name to show for each player in a list of no tournament, which is published so.

    A name that a tournament gives its readers stands here, too; whose name may not be shown goes by the alias, else by a word. Call it as
    ``load_display_names``.
    """
    known_by = roots(store, players)
    people, anywhere = registers.find_players(known_by.values()), audience.showing(None, publication, None)
    given: Mapping[str, Showing] = {} if anywhere in ("all", "names") else _names_given(store, audience)
    unnamed, found = word_for_unnamed(audience.language), dict[str, str]()
    for player, person in known_by.items():
        named = people.get(person)
        found[player] = name_of(named, given.get(person, anywhere)) or name_of(named, "aliases") or unnamed
    return found


def _names_given(store: Store, audience: NameViewer) -> Mapping[str, Showing]:
    """Return how the players of tournaments are called that give this audience more than aliases, by person."""
    rules = naming_rules(store, naming_tournaments(store, audience.hall))
    showing = {one: audience.showing(one, *rules[one]) for one in rules}
    entries = sorted(entries_in(store, [one for one in rules if one]), key=lambda one: showing[one.tournament] == "names")
    persons = roots(store, {one.player for one in entries})
    return {persons[one.player]: showing[one.tournament] for one in entries if showing[one.tournament] != "aliases"}


def _entrants(store: Store, tournaments: Collection[str]) -> Mapping[Appearance, int]:
    """Return the numbers of entrants, by every id of those who stand for them."""
    entries = entries_in(store, tournaments)
    persons = roots(store, {one.player for one in entries})
    return {(who, one.tournament): one.entrant for one in entries for who in (persons[one.player], one.player)}


def _number_as_name(numbers: Mapping[Appearance, int], one: Appearance, person: str, language: str) -> str | None:
    """Return the number of the entrant for whom somebody stands, in the place of a name."""
    number = numbers.get(one) or numbers.get((person, one[1]))
    return None if number is None else texts.render(texts.say("entrant.called", entrant=number), language)


def names_in_tournament(
    registers: Registers, store: Store, now: Tournament, players: Collection[str], audience: NameViewer, *, numbered: bool = True
) -> Mapping[str, str]:
    """Return the name to show for each of these players of a tournament; players without one are missing.

    ``numbered``: with the number of the entrant in the place of a name. Call it in a thread.
    """
    id, entered = now.plan.tournament, {player: entrant.number for entrant in now.entrants for player in entrant.all_players}
    known_by = roots(store, {*players, *entered})
    people = registers.find_players({known_by[player] for player in players})
    showing = audience.showing(id, now.publication, now.hall_names)
    own = [(who, number) for player, number in entered.items() for who in (known_by[player], player)] if numbered else []
    numbers: Mapping[Appearance, int] = {(who, id): number for who, number in own}
    shown = {player: name_of(people.get(known_by[player]), showing) for player in players}
    found = {player: name or _number_as_name(numbers, (player, id), known_by[player], audience.language) for player, name in shown.items()}
    return {player: name for player, name in found.items() if name is not None}


async def names_for_caller(
    request: Request, tournament: str | None, players: Iterable[str | None], *, numbered: bool = True
) -> Mapping[str, str]:
    """Return the names for the caller of this request, in a tournament or a game of it; seats without a player are skipped."""
    ids = {player for player in players if player is not None}
    if not ids:
        return {}
    services, audience, now = services_of(request), name_viewer_of(request), await tournament_at(request, tournament)
    if now is not None:
        return await asyncio.to_thread(names_in_tournament, services.registers, services.store, now, ids, audience, numbered=numbered)
    alone = await asyncio.to_thread(load_display_names, services.registers, services.store, [(id, None) for id in ids], audience)
    return {player: name for (player, _), name in alone.items() if name is not None}


async def wait_for_names(request: Request) -> None:
    """Wait for what ``load_display_names`` reads, so that no name is shown that was withdrawn. Raises ``ProjectionLagError`` and
    ``Building``.
    """
    if not request.user.has_full_view:
        await wait_for_sequence(request, TOURNAMENTS.name, await asyncio.to_thread(services_of(request).journal.head))
    await wait_for_head(request, TOURNAMENTS.name)
    await wait_for_head(request, APPEARANCES.name)


async def name_player(request: Request, tournament: str, refused: Refused) -> None:
    """Put the name of the player whom a refusal speaks of into its sentence (``<code>.named``), if the caller may see a name."""
    player = refused.detail.get("player")
    names = await names_for_caller(request, tournament, [player], numbered=False) if isinstance(player, str) else {}
    refused.detail |= {"problem": "named", "who": name} if (name := next(iter(names.values()), None)) else {}


# Seat names for people: the player's name, else the compass at a table of four, else seats counted from 1. Programs count seats from 0
# (COM-1).


_COMPASS = 4
"""Seats of a table whose places are named clockwise from north."""


def name_seats(players: Sequence[str | None], language: str) -> list[str]:
    """Return the name of each seat: that of its player, else of its place."""
    return [name or place for name, place in zip(players, name_places(len(players), language), strict=True)]


def name_places(seats: int, language: str) -> list[str]:
    """Return the name of each place at a table: ``North`` at a table of four, else ``Seat 1``."""
    if seats == _COMPASS:
        return texts.render(say("place.compass"), language).split()
    return [texts.render(say("place.numbered", number=number), language) for number in range(1, seats + 1)]


def letter_places(seats: int, language: str) -> list[str]:
    """Return the short form of each place: ``N`` at a table of four, else ``1``."""
    if seats == _COMPASS:
        return texts.render(say("place.letters"), language).split()
    return [str(number) for number in range(1, seats + 1)]
