"""`kiebitz monitor`: follows the log of a service, and says where it contradicts itself."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import click
import httpx
import msgspec
from msgspec import Struct

from deploy.cli.console import print_line
from deploy.cli.options import setting_options, settings_of
from deploy.cli.proofs.key_options import keys_of
from deploy.failures import Failure, explained
from deploy.language import lang_option, say, sentence, told
from deploy.log.witness.monitor import LogReader, Observation, observe, open_monitor
from domain.texts import Saying
from replay.proof.alone import utc
from replay.proof.exact import Unproven
from replay.proof.monitoring import Contradicted
from replay.proof.notes import COSIGNATURE, PLAIN
from replay.proof.words import words_of


class Wrong(Struct, frozen=True):
    """What does not go together (1), or could not be read (2)."""

    fault: str
    leaf: int | None
    problem: Saying
    exit_code: int = 1


@click.command("monitor")
@click.argument("url")
@click.option("--key", "keys", multiple=True, required=True, metavar="VKEY", help="A verifier key of the log, or a file of keys.")
@click.option("--witness", "witnesses", multiple=True, metavar="VKEY", help="The key of a witness, who has to have signed; several times.")
@click.option("--data", type=click.Path(path_type=Path), required=True, metavar="FOLDER", help="Folder for what was seen; one a log.")
@click.option("--every", type=click.FloatRange(1), metavar="SECONDS", help="Look again and again, until something is wrong or Ctrl-C.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line, for each look.")
@setting_options("token")
@lang_option
def monitor_command(
    url: str, keys: tuple[str, ...], witnesses: tuple[str, ...], data: Path, every: float | None, as_json: bool, language: str, **flags: Any
) -> None:
    """Look at the log of the service at URL: does it only go on, and does it tell of each game one event after the other, once?

    With a token that may read the feed every entry is read, and the tree is made anew of them. Without one only checkpoints are held
    against each other. Take the keys from elsewhere than from the service.

    \b
    Exit code: 0 all of it goes together, 1 not so, 2 the log cannot be read.
    \b
    Examples:
      kiebitz monitor https://club.example --key keys.txt --data ./club
      kiebitz monitor https://club.example --key keys.txt --witness witness.example/w1+f1bb7046+BH2k… --data ./club --every 60
    """
    known = (*keys_of(keys, "--key", kind=PLAIN), *keys_of(witnesses, "--witness", kind=COSIGNATURE))
    with open_monitor(data) as store, closing(LogReader(url, settings_of(flags).token)) as reader:
        while True:
            found = _found(lambda: observe(reader, store, known, time.sleep))
            exit_code = found.exit_code if isinstance(found, Wrong) else 0
            said = msgspec.json.encode(_as_json(found)).decode() if as_json else _in_words(found, reader.url, language)
            print_line(said, "red" if exit_code else None)
            if every is None or exit_code == 1:
                raise click.exceptions.Exit(exit_code)
            time.sleep(every)


def _found(observe: Callable[[], Observation]) -> Observation | Wrong:
    try:
        return observe()
    except Contradicted as error:
        leaf = "" if error.leaf is None else error.leaf
        return Wrong(error.what, error.leaf, say(f"monitor.{error.what}", leaf=leaf))
    except Unproven as error:
        return Wrong(error.fault, None, say(f"verify.{error.fault}", where=error.where))
    except (Failure, httpx.HTTPError) as error:
        failure = explained(error)
        if failure is None:
            raise
        return Wrong("unread", None, failure.problem, max(failure.exit_code, 2 if isinstance(error, httpx.HTTPError) else 1))


def _in_words(found: Observation | Wrong, url: str, language: str) -> str:
    if isinstance(found, Wrong):
        return f"✗ {url}: {told(found.problem, language)}"
    now, before = found.checkpoint, found.before
    said = "monitor_goes_on" if before else "monitor_first"
    lines = [f"✓ {url}: {sentence(said, language, origin=now.origin, size=now.size, before=before.size if before else 0)}"]
    more = [sentence("monitor_root", language, root=now.root.hex()), f"    {words_of(now.root)}"]
    read = "monitor_read" if found.read else "monitor_unread"
    more += [*witness_lines(found.witnessed, language), sentence(read, language, read=found.read, streams=found.streams)]
    return "\n".join([*lines, *(f"    {line}" for line in more)])


def witness_lines(by: Sequence[tuple[str, int]], language: str) -> Iterator[str]:
    return (sentence("proven_witness", language, name=name, at=utc(at)) for name, at in by)


def _as_json(found: Observation | Wrong) -> dict[str, object]:
    if isinstance(found, Wrong):
        return {"sound": False, "fault": found.fault, "leaf": found.leaf}
    now, before = found.checkpoint, found.before
    told = {"sound": True, "origin": now.origin, "size": now.size, "root": now.root.hex(), "before": before and before.size}
    witnessed = [{"name": name, "at": utc(at)} for name, at in found.witnessed]
    return {**told, "witnessed": witnessed, "read": found.read, "streams": found.streams}
