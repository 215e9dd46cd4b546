"""The port of the registers, for data that is neither event nor projection: answered commands, imported games and their origins, access
tokens, free texts, people, prepared boards, secrets of fair shuffles, looks at hidden cards, webhooks, the walls of tournaments, and the
log's own data.

Times are RFC 3339 texts in UTC, so that they compare as texts.
"""

import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Protocol, TypeAlias
from uuid import UUID

from msgspec import Struct

from domain.free_texts import SaltedText
from domain.journal.commits import Board, CommandKey, ForeignRef, Origin, PreparedBoard, Ref, StoredCommand
from domain.journal.log import LogRegister
from domain.journal.sessions import SessionRegister, TokenRegister
from domain.journal.webhooks import WebhookRegister
from domain.tournament.publication import Wall

# Access audit: the register of reads of hidden cards. A read never waits for it; ``access_audit.py`` writes its lines.


LOOKS_KEPT = timedelta(days=365)


class CardAccess(Struct, frozen=True, order=True):
    """A look: a principal was shown hidden cards of a game, as the arbiter or a seat sees them (``view``), once or often within a minute.

    ``minute`` is its first second, RFC 3339 in UTC. ``tournament``: that of the game, if it belongs to one.
    """

    minute: str
    game: UUID
    view: str
    principal: str
    tournament: str | None


LookPlace: TypeAlias = tuple[str, UUID, str, str]
"""The place of a line in the order of its list: minute, game, view, principal."""


def place_of_access(look: CardAccess) -> LookPlace:
    return (look.minute, look.game, look.view, look.principal)


def minute_of(moment: datetime) -> str:
    return moment.astimezone(UTC).replace(second=0, microsecond=0, tzinfo=None).isoformat() + "Z"


class RefusalCount(Struct, frozen=True, order=True):
    """How many moves of a ruleset were refused with a code in an hour, which begins at this time, RFC 3339 in UTC. Neither games nor people
    are kept.
    """

    hour: str
    ruleset: str
    code: str
    number: int


def hour_of(moment: datetime) -> str:
    return minute_of(moment.replace(minute=0))


# People behind the ids of players, and how their names are folded, so that a search finds them however they are spelt.
#
# The register of people is the one place that holds names. A row is written after the player's event was recorded. The row of
# an erased player stays, without a name, so that a repeated request does not bring the name back.


class Person(Struct, frozen=True):
    """A person. ``alias`` is shown to the public. ``changed_by`` is a principal, the time RFC 3339 in UTC. ``objects_to_names``: the person
    does not want to be called by name before anybody but officials.
    """

    player: str
    name: str | None
    alias: str | None
    changed_at: str
    changed_by: str
    objects_to_names: bool = False


def search_texts(person: Person) -> tuple[str, str]:
    """Return the texts to search in: every spelling of every word, each after a blank. First for officials (name, alias, id), then for the
    public (alias, id).
    """
    public = (person.alias, person.player)
    return _fold_texts(person.name, *public), _fold_texts(*public)


def initials_of(name: str) -> str | None:
    """Return the first letter of each word: ``A. M.`` for Anna Müller. None for a name without a letter or digit."""
    letters = [next((sign for sign in word if sign.isalnum()), "") for word in name.split()]
    return " ".join(f"{letter}." for letter in letters if letter) or None


def expand_search_words(words: str) -> list[tuple[str, ...]]:
    """Return the spellings of each searched word. Raises ValueError if the text holds no letter and no digit."""
    searched = [_list_variants(word) for word in _words(words)]
    if not searched:
        raise ValueError("there is nothing to look for")
    return searched


_WHOLE: Mapping[str, str] = {"ł": "l", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i"}
"""Letters that Unicode does not decompose into a letter with an accent, though people search for them as if it did."""
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe"})


def _fold_texts(*texts: str | None) -> str:
    found = (spelling for text in texts if text for word in _words(text) for spelling in _list_variants(word))
    return "".join(f" {spelling}" for spelling in dict.fromkeys(found))


def _words(text: str) -> list[str]:
    """Return the words in small letters, composed, without signs: ``O'Brien`` is two."""
    small = unicodedata.normalize("NFC", unicodedata.normalize("NFKC", text).casefold())
    return "".join(sign if unicodedata.category(sign)[0] in "LNM" else " " for sign in small).split()


def _list_variants(word: str) -> tuple[str, ...]:
    """Return the spellings without accents, and with ``ue`` for ``ü`` as Germans write it where they have to."""
    return tuple(dict.fromkeys((_plain(word), _plain(word.translate(_UMLAUTS)))))


def _plain(word: str) -> str:
    apart = unicodedata.normalize("NFD", "".join(_WHOLE.get(sign, sign) for sign in word))
    return "".join(sign for sign in apart if not unicodedata.combining(sign))


class Duplicate(Exception):
    """A register holds this key already, and nothing was stored."""


class Registers(TokenRegister, SessionRegister, WebhookRegister, LogRegister, Protocol):
    """The registers. Synchronous and thread-safe; each write is durable when the method returns, or raises ``OutcomeUnknownError`` if that
    could not be found out.

    A method that takes a command keeps its key in the same transaction, unless nothing was changed, and raises ``Duplicate`` if it is
    taken. ``changes`` rises with every change of names and texts by this process.
    """

    changes: int

    def find_command(self, principal: str, key: str) -> StoredCommand | None:
        """Return what the principal's command under this key appended or made, if it did and has not been forgotten."""

    def keep_command(self, command: CommandKey) -> None:
        """Keep the key of a finished command whose work cannot share one transaction with it."""

    def forget_commands(self, before: str) -> int:
        """Drop the keys of commands stored before that time; they can be used again. Returns how many."""

    def find_ref(self, ref: Ref) -> UUID | None:
        """Return the game that was imported under this ref. No answer reveals the ref itself."""

    def find_by_ref(self, ref: ForeignRef) -> tuple[UUID, str] | None:
        """Return the game whose record has this foreign ref, and the digest of the content of that record."""

    def find_origin(self, game: UUID) -> Origin | None:
        """Return the origin of the game; ``None`` if its record stated none, or it was not imported."""

    def erase_meta(self, game: UUID, command: CommandKey | None = None) -> bool:
        """Erase the ``meta`` of the record of the game permanently; its ref stays. False if there was nothing to erase.

        The fingerprint of the command that brought it goes, too; its key stays taken.
        """

    def try_writing(self) -> None:
        """Write something that leaves no trace. Raises ``StoreUnavailableError`` or ``OutcomeUnknownError`` if nothing can be written
        now.
        """

    def text(self, id: str) -> str | None:
        """Return a text; None if there never was such a text, or it was erased."""

    def find_text(self, id: str) -> SaltedText | None:
        """Return the text with its salt."""

    def has_text(self, id: str) -> bool:
        """Return whether the words of this id were ever kept here; the id of erased words stays."""

    def erase_text(self, id: str, stream: UUID, position: int, command: CommandKey | None = None) -> bool:
        """Erase the words of the event at this position permanently, with their salt; the id stays taken. False if there was nothing to
        erase.

        The fingerprint of the command that brought them goes, too, also of words that were erased before; its key stays taken.
        """

    def enter_players(self, people: Sequence[Person]) -> None:
        """Add new people. Rows that exist, of erased players too, stay as they are: a repeated request changes nothing."""

    def rename_person(self, person: Person, known: Person | None, command: CommandKey | None = None) -> bool:
        """Change the person ``known``, or enter one who was unknown. False if somebody changed, entered or erased them in between."""

    def erase_person(self, player: str, stream: UUID, at: str, by: str) -> None:
        """Erase name and alias permanently, also of a person who was never entered.

        The fingerprints of commands in the player's stream go, too: the request held the name. Their keys stay taken.
        """

    def find_players(self, players: Iterable[str]) -> dict[str, Person]:
        """Return the rows of these players, by id. Rows of erased players have no name."""

    def find_same_names(self, names: Iterable[str], *, aliases: bool = False) -> list[Person]:
        """Return the people with one of these names, exactly as they are written, in the order of their ids. ``aliases``: also those with
        such an alias.
        """

    def search_players(self, words: str, *, after: str, limit: int, public: bool, among: Collection[str] | None = None) -> list[Person]:
        """Return the people of whom each of the words begins a word of name, alias or id, in the order of their ids, those after the id
        ``after``.

        ``public``: of alias or id only, so that the public cannot find a player by a hidden name. ``among``: of these ids only, a few
        hundred at most. Raises ValueError if the text holds no letter and no digit.
        """

    def prepare_boards(self, boards: Sequence[Board], at: str, by: str, *, replace: bool, command: CommandKey | None = None) -> None:
        """Keep all of them or none. Raises ``Duplicate`` where one is there already; with ``replace`` only where it was dealt."""

    def find_board(self, tournament: str, round: int, number: int) -> Board | None:
        """Return the board with its deck, for the deal alone."""

    def list_boards(self, tournament: str) -> list[PreparedBoard]:
        """Return the prepared boards, in the order of rounds and numbers, without their decks."""

    def keep_secret(self, commitment: str, secret: bytes, at: str) -> None:
        """Keep a secret before the event that binds the service to it. A secret whose event was refused stays and does no harm."""

    def find_secret(self, commitment: str) -> bytes | None:
        """Return a secret for the deal, and for the event that reveals it; it is shown to nobody before."""

    def wall(self, tournament: str) -> Wall:
        """Return the present content of the wall."""

    def change_wall(self, tournament: str, wall: Wall, command: CommandKey | None = None) -> bool:
        """Replace the version before it. False if that is not the present one any more; then nothing has changed."""

    def keep_looks(self, looks: Sequence[CardAccess]) -> None:
        """Keep the looks. Of equal ones, which another process may have written, one stays."""

    def list_looks(
        self, *, game: UUID | None = None, tournament: str | None = None, before: LookPlace | None = None, limit: int | None = None
    ) -> list[CardAccess]:
        """Return the looks at a game, at the games of a tournament, or at all, the newest first; ``before``: those that follow the line
        of this place.
        """

    def add_refusals(self, counts: Sequence[RefusalCount]) -> None:
        """Add to the counts of these hours; a power cut may undo it."""

    def count_refusals(self, ruleset: str, since: str | None = None, until: str | None = None) -> dict[str, int]:
        """Return how many moves of the ruleset were refused, by code: in the hours that begin at ``since`` or later, and before
        ``until``.
        """

    def looks_by(self, principals: Collection[str]) -> list[CardAccess]:
        """Return all looks of these principals, the newest first."""

    def erase_looks(self, principals: Collection[str]) -> int:
        """Erase all looks of these principals permanently. Returns how many lines there were."""

    def forget_looks(self, before: str) -> int:
        """Drop the looks of minutes before that time. Returns how many."""


def stamp(moment: datetime) -> str:
    """Return a time as the registers hold it: RFC 3339 in UTC, whole seconds."""
    return moment.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
