"""Command `kiebitz audit`: evaluates recorded events again by the rules, in parallel, and verifies the store against its log."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any
from uuid import UUID

import click
import msgspec

from deploy.cli.bulk import jobs_option
from deploy.cli.console import SERVER, STORE, print_line, progress, setting_options, settings_of
from deploy.cli.proofs import store_check
from deploy.cli.proofs.audits import Audited, HiddenAudit, audit_server, audit_store, kind_of, streams_of, summary
from deploy.cli.proofs.checkpoint_options import CheckpointOptions, check_checkpoint_files, checkpoint_options, checkpoint_options_of
from deploy.cli.proofs.store_check import StoreCheck, check_store
from deploy.compose import open_event_store
from deploy.config.failures import WrongCall, lang_option, render, say, sentence
from deploy.config.settings import Settings
from domain.texts import Saying
from replay.audit_result import Audit, AuditMismatch, StreamAudit, Verdict

if TYPE_CHECKING:
    pass

_COLOURS: Mapping[Verdict, str | None] = {"sound": None, "divergent": "red", "not_judged": "yellow"}
_SIGNS: Mapping[Verdict, str] = {"sound": "✓", "divergent": "✗", "not_judged": "?"}


@click.command("audit")
@click.argument("games", nargs=-1, metavar="[GAME…]")
@click.option("--tournament", metavar="ID", help="This tournament and every game of it.")
@click.option("--all", "everything", is_flag=True, help="Every game, tournament and player.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line, for each game, tournament and player.")
@checkpoint_options
@jobs_option
@lang_option
@setting_options(*STORE, *SERVER)
def audit_command(
    games: tuple[str, ...], tournament: str | None, everything: bool, as_json: bool, jobs: int, language: str, **flags: Any
) -> None:
    """Evaluate every recorded event again by the rules, and verify the store against what was signed. The output contains cards.

    The store is verified against the newest checkpoint of its log, and against those that you kept: in files, or on paper as twelve words
    or forty digits of a root or a mark. Through a server it audits what the token may see, and verifies no checkpoints.

    \b Exit code: 0 all of it is sound, 1 not so. \b Examples:
      kiebitz audit --all
      kiebitz audit --all --checkpoint from-the-hall.txt
      kiebitz audit --all --said "abandon ability able about above absent absorb abstract absurd abuse access accident"
      kiebitz audit 5c0c8f1e-… --json
      kiebitz audit --tournament spring-open --database-url postgresql://kiebitz@db/kiebitz
      kiebitz audit --all --url http://127.0.0.1:8000 --token kb_…
    """
    if [bool(games), tournament is not None, everything].count(True) != 1:
        raise WrongCall(say("name_games_or_tournament"))
    settings, asked = settings_of(flags), checkpoint_options_of(flags)
    if settings.url and (asked.files or asked.said):
        raise WrongCall(say("holds_beside_the_store"))
    streams = None if everything else _streams(settings, games, tournament)
    holdings: StoreCheck | None = None
    tell_held = partial(_tell_held, language=language, as_json=as_json)
    if everything and asked.files:
        check_checkpoint_files(settings, asked)
    elif not everything:
        tell_held(holdings := _check_store(settings, asked, streams, language), {})
    sound, counts, names = Counter[str](), Counter[str](), dict[UUID, str]()
    source = _source(settings, games, tournament, jobs, language)
    with source as (total, audits), progress(sentence("auditing", language), total) as advance:
        for done, found in enumerate(audits, 1):
            _tell(found, language, as_json=as_json)
            names.update(_names(found, language))
            kind = found.kind if isinstance(found, HiddenAudit) else kind_of(found)
            counts[kind] += 1
            sound[kind] += not isinstance(found, HiddenAudit) and found.verdict == "sound"
            advance(done)
    if everything:  # last, so that games are audited even if something is wrong with the log
        tell_held(holdings := _check_store(settings, asked, None, language), names)
    known = ("game", "tournament", "player", *(kind for kind in ("series", "ratings") if counts[kind]))
    kinds = known if everything else ("game", "tournament") if tournament else ("game",)
    if not as_json and len(games) != 1:
        print_line(summary({kind: (sound[kind], counts[kind]) for kind in kinds}, language))
    is_as_signed = holdings is None or holdings.is_consistent
    raise click.exceptions.Exit(int(not is_as_signed or sound.total() < counts.total()))


def _streams(settings: Settings, games: tuple[str, ...], tournament: str | None) -> list[UUID]:
    """Return the streams to verify; none through a server, which verifies nothing."""
    if settings.url:
        return []
    with open_event_store(settings, create=False) as store:
        return streams_of(store, games, tournament)


def _check_store(settings: Settings, asked: CheckpointOptions, streams: list[UUID] | None, language: str) -> StoreCheck | None:
    """Verify these streams, or the whole store, against what was signed; None through a server."""
    with progress(sentence("holding", language), None):
        return None if settings.url else check_store(settings, asked, streams)


def _tell_held(holdings: StoreCheck | None, names: Mapping[UUID, str], language: str, *, as_json: bool) -> None:
    if holdings is not None and as_json:
        for line in store_check.as_json(holdings):
            print_line(line)
    elif holdings is not None:
        for text, is_good in store_check.in_words(holdings, names, language):
            print_line(text, None if is_good else "red")


@contextmanager
def _source(
    settings: Settings, games: tuple[str, ...], tournament: str | None, jobs: int, language: str
) -> Iterator[tuple[int | None, Iterator[Audited | HiddenAudit]]]:
    """Yield the number of audits, if it is known, and the audits."""
    if settings.url:
        # Imported here, because an audit of the local store does not need it.
        from deploy.cli.client import connect

        with connect(settings, language) as remote:
            yield None, audit_server(remote, games, tournament)
        return
    with open_event_store(settings, create=False) as store:
        yield audit_store(settings, store, games, tournament, jobs)


def _tell(found: Audited | HiddenAudit, language: str, *, as_json: bool) -> None:
    if as_json:
        print_line(msgspec.json.encode(found).decode())
    else:
        print_line(in_words(found, language), "yellow" if isinstance(found, HiddenAudit) else _COLOURS[found.verdict])


def in_words(found: Audit | StreamAudit | HiddenAudit, language: str) -> str:
    """Return a line, and below it everything that is not as it should be."""
    if isinstance(found, HiddenAudit):
        return f"? {_describe_stream(found.kind, found.id, language)}: {sentence('audit_not_told', language)}"
    verdict = sentence(f"audit_{found.verdict}", language, count=len(found.divergences), judged=found.judged, events=found.events)
    lines = [f"{_SIGNS[found.verdict]} {_subject(found, language)}: {verdict}"]
    lines += [_describe_mismatch(one, language) for one in found.divergences]
    lines += [
        f"    {sentence('audit_left', language, first=one.first, last=one.last)}: {render(reason_of(one.reason), language)}"
        for one in found.unjudged
    ]
    lines += [
        f"    {sentence('audit_position', language, position=one.position)}: {render(reason_of(one.text), language)}"
        for one in found.remarks
    ]
    return "\n".join(lines)


_REASONS = tuple(
    (re.compile(form), key)
    for form, key in (
        (r"the table before it is not known", "table"),
        (r"what officials did before it is not known", "acts"),
        (r"the opening of the game is not known", "opening"),
        (r"the table to which it leads back is not known", "led_back"),
        (r"what was recorded before it is not known", "before"),
        (r"the rules know no game set up like this", "setup"),
        (r"edition (?P<edition>.+) of (?P<ruleset>.+) is not kept here", "edition"),
        (r"no edition of (?P<ruleset>.+) is kept here", "ruleset"),
        (r"nothing is kept of the words of this event, not even that they were erased", "words"),
        (r"recorded at (?P<at>.+), the event before it at (?P<before>.+)", "earlier"),
    )
)
"""English texts of an audit, also through a server, and their keys in the catalogue."""


def reason_of(text: str) -> Saying:
    """Return the reason of an audit in the words of the catalogue."""
    matches = ((form.fullmatch(text), key) for form, key in _REASONS)
    return next((say(f"audit_reason.{key}", **found.groupdict()) for found, key in matches if found), text)


def _names(found: Audited | HiddenAudit, language: str) -> dict[UUID, str]:
    """Return the name of a stream that was audited here."""
    match found:
        case Audit():
            return {found.game: _describe_stream("game", str(found.game), language)}
        case StreamAudit():
            return {found.stream: _subject(found, language)}
        case HiddenAudit():
            return {}


def _subject(found: Audit | StreamAudit, language: str) -> str:
    if isinstance(found, Audit):
        return f"{found.game} {found.ruleset or '?'}"
    return _describe_stream(found.kind, found.id or str(found.stream), language)


def _describe_stream(kind: str, id: str, language: str) -> str:
    return sentence(f"audit_{kind}", language, id=id)


def _describe_mismatch(one: AuditMismatch, language: str) -> str:
    place, kind = sentence("audit_position", language, position=one.position), sentence(f"audit_{one.kind}", language)
    recorded, recomputed = sentence("audit_recorded", language), sentence("audit_recomputed", language)
    return f"    {place}: {kind}\n        {recorded}: {one.recorded}\n        {recomputed}: {one.recomputed}"
