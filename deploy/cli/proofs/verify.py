"""Command `kiebitz verify`: verifies proof files with the standalone verifier and audits their records, without store or network."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from uuid import UUID

import click
import msgspec

from deploy.cli.console import print_line
from deploy.cli.files import open_input
from deploy.cli.proofs.audit import in_words
from deploy.cli.proofs.checkpoint_options import keys_of
from deploy.config.failures import lang_option, render, say, sentence, system_problem
from domain.codec import decode_event
from domain.events import Recorded
from domain.events.game import GameOpened
from domain.games import EDITIONS
from replay.audit import audit
from replay.audit_result import Audit
from replay.proof import single_file
from replay.proof.checkpoints import digits_of, matches_hash, words_of
from replay.proof.making import EDITION, Otherwise, find_differences

_FAULTS = {
    "form": "malformed",
    "signed": "not_signed",
    "twice": "signed_twice",
    "tree": "not_in_tree",
    "told": "not_as_told",
    "earlier": "not_earlier",
    "deck": "not_dealt",
}
"""Names in JSON of the standalone verifier's reasons."""


class Verified(NamedTuple):
    """A valid proof file: its name, contents, and what it proves; for a whole record of a game, also its history and audit."""

    name: str
    file: Mapping[str, Any]
    proven: Mapping[str, Any]
    history: tuple[Recorded, ...]
    audit: Audit | None


class Finding(NamedTuple):
    """Result about a file, two files, or a text from paper: in words, and as JSON."""

    words: str
    json: Mapping[str, object]
    exit_code: int = 0


@click.command("verify")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE…")
@click.option("--key", "keys", multiple=True, required=True, metavar="VKEY", help="A verifier key, or a file with one on each line.")
@click.option("--words", is_flag=True, help="Also show mark and root for people to compare: 12 words, 40 digits.")
@click.option("--paper", multiple=True, metavar="TEXT", help="12 words or 40 digits from paper, which a file has to match.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line, for each file and each comparison.")
@lang_option
def verify_command(
    files: tuple[Path, ...], keys: tuple[str, ...], words: bool, paper: tuple[str, ...], as_json: bool, language: str
) -> None:
    """Verify that proof files are what a log signed. Records are audited by the rules, too, and each view is compared with the record of
    the same game, and with longer views.

    Keys are those of the log, of the views that it signs (the name ends with /told), and of witnesses; every named witness has to have
    signed. Get them from another source than the file.

    \b Exit code: 0 all of it is proven and sound, 1 not so, 2 a file cannot be read. \b Examples:
      kiebitz verify mine.json --key club.example/log/1+1d7eb2ad+AYqI… --key club.example/log/1/told+bfce95ac+AYE5…
      kiebitz verify mine.json record.json --key keys.txt
      kiebitz verify mine.json --key keys.txt --paper "fox lunar acid … twelve words in all"
    """
    known = [single_file.read_key(str(key)) for key in keys_of(keys, "--key")]
    read = [_verify(file, known, language) for file in files]
    good = [one for one in read if isinstance(one, Verified)]
    found = [_describe(one, language, words=words) if isinstance(one, Verified) else one for one in read]
    found += [_compare(early, late, language) for early, late in single_file.pairs(good)]
    found += [_on_paper(text, good, language) for text in paper]
    for one in found:
        print_line(msgspec.json.encode(one.json).decode() if as_json else one.words, "red" if one.exit_code else None)
    if not as_json:
        click.echo(single_file.SAYS[language]["limits"])
    raise click.exceptions.Exit(max(one.exit_code for one in found))


def _verify(file: Path, keys: Sequence[Any], language: str) -> Verified | Finding:
    says = single_file.SAYS[language]
    try:
        with open_input(file) as stream:
            read, proven = single_file.judge(stream.read(), keys)
    except OSError as error:
        problem = render(system_problem(error.errno), language)
        return _make_failure(str(file), "unread", "", says["not"].format(file=file, why=problem), exit_code=2)
    except single_file.VerificationError as no:
        return _make_failure(str(file), _FAULTS[no.why], str(no.what), says["not"].format(file=file, why=says[no.why].format(what=no.what)))
    history = tuple(read_history(read)) if (read["view"], read["first"]) == ("full", 1) else ()
    is_game = bool(history) and isinstance(history[0].event, GameOpened)
    return Verified(str(file), read, proven, history, audit(history, EDITIONS) if is_game else None)


def read_history(file: Mapping[str, Any]) -> Iterator[Recorded]:
    """Yield the events of a record. Raises nothing, whatever the file contains."""
    stream = UUID(file["stream"])
    return (decode_event(stream, position, event["name"], event["bytes"].encode()) for position, event in enumerate(file["events"], 1))


def _make_failure(file: str, fault: str, where: str, words: str, exit_code: int = 1) -> Finding:
    return Finding(words, {"file": file, "proven": False, "fault": fault, "where": where}, exit_code)


def _describe(one: Verified, language: str, *, words: bool) -> Finding:
    first, *more = single_file.in_words(one.name, one.proven, single_file.SAYS[language])
    hashes = {"mark": one.proven["mark"], "root": one.proven["roots"][one.proven["size"]]} if words else {}
    compared = [line for what, hashed in hashes.items() for line in _to_compare(what, hashed, language)]
    if one.audit is not None:
        more += [f"    {line}" for line in in_words(one.audit, language).splitlines()]
    elif one.file["view"] == "full":
        more.append(f"    {sentence('proven_unjudged', language)}")
    about = {name: one.proven[name] for name in ("stream", "view", "first", "last", "mark", "origin", "size")}
    witnessed = [{"name": name, "at": single_file.utc(at)} for name, at in one.proven["witnesses"].items()]
    earlier = one.proven["earlier"] and {"size": one.proven["earlier"], "stood": one.proven["stood"] is not None}
    rules = one.audit and one.audit.verdict
    found = {"file": one.name, "proven": True, **about, "witnessed": witnessed, "earlier": earlier, "rules": rules}
    return Finding("\n".join([first, *compared, *more]), found, int(rules == "divergent"))


def _compare(early: Verified, late: Verified, language: str) -> Finding:
    """Compare two files of one game: whether they are of one record, and whether a view shows what the record contains."""
    both, last, says = f"{early.name}, {late.name}", early.proven["last"], single_file.SAYS[language]
    if not single_file.same_record(early.file, late.file):
        return _make_failure(both, "not_the_record", str(last), says["other"].format(file=early.name, other=late.name, last=last))
    same = says["same"].format(file=early.name, other=late.name, last=last)
    if late.file["view"] != "full":
        return Finding(same, {"view": early.name, "later": late.name, "last": last, "same": True})
    if late.audit is None or early.file["edition"] != EDITION:
        return _make_failure(both, "not_comparable", "", f"{both}: {render(say('proven_not_comparable'), language)}")
    shown = [None if "salt" in event else event["bytes"] for event in early.file["events"]]
    lies = list(find_differences(early.file["view"], shown, late.history[:last]))
    found = {"view": early.name, "record": late.name, "last": last, "differences": msgspec.to_builtins(lies)}
    return Finding("\n".join([same, *(line for lie in lies for line in _describe_difference(lie, language))]), found, int(bool(lies)))


def _describe_difference(one: Otherwise, language: str) -> Iterator[str]:
    yield f"    {sentence('audit_position', language, position=one.position)}: {sentence('proven_otherwise', language)}"
    yield f"        {sentence('proven_told', language)}: {one.told}"
    yield f"        {sentence('audit_recomputed', language)}: {one.due}"


def _to_compare(what: str, hashed: str, language: str) -> Iterator[str]:
    """Yield a mark or a root in the form that people compare."""
    yield f"    {sentence(f'compared_{what}', language)}"
    yield f"        {words_of(bytes.fromhex(hashed))}"
    yield f"        {digits_of(bytes.fromhex(hashed))}"


def _on_paper(said: str, proven: Sequence[Verified], language: str) -> Finding:
    """Find the file with the mark or root that is on paper, and its position or size."""
    for one in proven:
        hashes = [("mark", one.proven["last"], one.proven["mark"]), *(("root", *root) for root in one.proven["roots"].items())]
        for what, upto, hashed in hashes:
            if matches_hash(said, bytes.fromhex(hashed)):
                words = f"{one.name}: {sentence(f'paper_{what}', language, upto=upto)}"
                return Finding(words, {"paper": said, "is": what, "file": one.name, "upto": upto})
    return Finding(sentence("paper_otherwise", language, said=said), {"paper": said, "is": None, "file": None, "upto": None}, 1)
