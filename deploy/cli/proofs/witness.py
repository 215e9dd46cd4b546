"""Command `kiebitz witness`: cosigns logs, and follows a log as a monitor. It needs no store of Kiebitz."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from threading import Thread
from typing import Any

import click
import httpx
import msgspec
from msgspec import Struct

from deploy.cli.console import print_line, setting_options, settings_of
from deploy.cli.proofs.checkpoint_options import keys_of
from deploy.config.failures import Failure, WrongCall, explain_error, lang_option, render, say, sentence
from deploy.config.settings import Settings
from deploy.log.witness.monitor import LogReader, MonitorResult, observe, open_monitor
from deploy.log.witness.witness import has_witness, open_witness, read_conflict_proofs, serve_witness
from domain.texts import Saying
from replay.proof.checkpoints import COSIGNATURE, PLAIN, VerificationError, VerifierKey, read_checkpoint, words_of
from replay.proof.monitoring import LogConflictError
from replay.proof.single_file import utc
from replay.proof.witness_protocol import ConflictProof, read_asked


class Wrong(Struct, frozen=True):
    """A contradiction (exit code 1), or a log that could not be read (2)."""

    fault: str
    leaf: int | None
    problem: Saying
    exit_code: int = 1


@click.command("witness")
@click.option("--data", type=click.Path(path_type=Path), required=True, metavar="FOLDER", help="Folder for its key and its state.")
@click.option("--name", metavar="NAME", help="The name of the witness, for example witness.club.example. Needed the first time.")
@click.option("--log", "logs", multiple=True, metavar="VKEY", help="The verifier key of a log, or a file of such keys; can be repeated.")
@click.option("--follow", "url", metavar="URL", help="Check that the log of the service at this address is only appended to.")
@click.option(
    "--every", type=click.FloatRange(1), metavar="SECONDS", help="Check repeatedly at this interval, and sign meanwhile. Without it: once."
)
@click.option("--witness", "witnesses", multiple=True, metavar="VKEY", help="The key of a witness that must have signed the checkpoints.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line, for each check.")
@click.option("--evidence", is_flag=True, help="Show the evidence against logs that contradicted themselves, and exit.")
@setting_options("host", "port", "tls_cert", "tls_key", "token")
@lang_option
def witness_command(
    data: Path,
    name: str | None,
    logs: tuple[str, ...],
    url: str | None,
    every: float | None,
    witnesses: tuple[str, ...],
    as_json: bool,
    evidence: bool,
    language: str,
    **flags: Any,
) -> None:
    """Sign checkpoints of logs that continue what was signed before, and refuse all others; ends with Ctrl-C or SIGTERM. It can also
    follow a log, which needs no name: does the log only grow, and does it list the events of each game in order and once?

    It implements c2sp.org/tlog-witness. Never restore its folder from a backup: the witness would forget what it signed.

    With a token that may read the feed, --follow reads every entry and recomputes the tree. Without one it only compares checkpoints with
    each other. The folder stores what was seen, for one log. Get the keys from another source than the service.

    \b Exit code of --evidence: 0 nothing was kept, 1 something was. Exit code of --follow: 0 all of it goes together, 1 not so, 2 the log
    cannot be read. \b Examples:
      kiebitz witness --data ./witness --port 8100 --name witness.club.example --log other.example/log/1+1d7eb2ad+AYqI…
      kiebitz witness --data ./witness --evidence
      kiebitz witness --data ./seen --follow https://club.example --log keys.txt
      kiebitz witness --data ./witness --log keys.txt --follow https://club.example --every 60
    """
    if evidence:
        _show(read_conflict_proofs(data), language)
        return
    keys = keys_of(logs, "--log", kind=PLAIN)
    if not keys:
        raise WrongCall(say("witness_needs_log"))
    if url is None and (every is not None or witnesses):
        raise WrongCall(say("witness_needs_follow"))
    settings = settings_of({"data": str(data), **flags})
    wanted = (*keys, *keys_of(witnesses, "--witness", kind=COSIGNATURE))
    follow = partial(_watch_log, data, url or "", settings.token, wanted, every, language, as_json=as_json)
    if url is not None and (every is None or not (name or has_witness(data))):
        raise click.exceptions.Exit(follow())
    if url is not None:
        Thread(target=follow, name="monitor", daemon=True).start()
    _serve(data, name, keys, settings, language)


def _serve(data: Path, name: str | None, keys: Sequence[VerifierKey], settings: Settings, language: str) -> None:
    with open_witness(data, name, keys, time.time) as (witness, key):

        def announce(address: str) -> None:
            names = tuple(one.name for one in keys)
            click.echo(f"{sentence('witness_listens', language, name=key.name, address=address, logs=names)}\n{key}")

        serve_witness(witness, settings, announce)


def _watch_log(
    data: Path, url: str, token: str | None, keys: Sequence[VerifierKey], every: float | None, language: str, *, as_json: bool
) -> int:
    """Look once, or again and again until something is wrong. Return the exit code."""
    with open_monitor(data) as store, closing(LogReader(url, token)) as reader:
        while True:
            found = _found(lambda: observe(reader, store, keys, time.sleep))
            exit_code = found.exit_code if isinstance(found, Wrong) else 0
            said = msgspec.json.encode(_as_json(found)).decode() if as_json else _in_words(found, reader.url, language)
            print_line(said, "red" if exit_code else None)
            if every is None or exit_code == 1:
                return exit_code
            time.sleep(every)


def _found(observe: Callable[[], MonitorResult]) -> MonitorResult | Wrong:
    try:
        return observe()
    except LogConflictError as error:
        leaf = "" if error.leaf is None else error.leaf
        return Wrong(error.what, error.leaf, say(f"monitor.{error.what}", leaf=leaf))
    except VerificationError as error:
        return Wrong(error.fault, None, say(f"verify.{error.fault}", where=error.where))
    except (Failure, httpx.HTTPError) as error:
        failure = explain_error(error)
        if failure is None:
            raise
        return Wrong("unread", None, failure.problem, max(failure.exit_code, 2 if isinstance(error, httpx.HTTPError) else 1))


def _in_words(found: MonitorResult | Wrong, url: str, language: str) -> str:
    if isinstance(found, Wrong):
        return f"✗ {url}: {render(found.problem, language)}"
    now, before = found.checkpoint, found.before
    said = "monitor_goes_on" if before else "monitor_first"
    lines = [f"✓ {url}: {sentence(said, language, origin=now.origin, size=now.size, before=before.size if before else 0)}"]
    more = [sentence("monitor_root", language, root=now.root.hex()), f"    {words_of(now.root)}"]
    read = "monitor_read" if found.read else "monitor_unread"
    more += [*_describe_witnesses(found.witnessed, language), sentence(read, language, read=found.read, streams=found.streams)]
    return "\n".join([*lines, *(f"    {line}" for line in more)])


def _as_json(found: MonitorResult | Wrong) -> dict[str, object]:
    if isinstance(found, Wrong):
        return {"sound": False, "fault": found.fault, "leaf": found.leaf}
    now, before = found.checkpoint, found.before
    told = {"sound": True, "origin": now.origin, "size": now.size, "root": now.root.hex(), "before": before and before.size}
    witnessed = [{"name": name, "at": utc(at)} for name, at in found.witnessed]
    return {**told, "witnessed": witnessed, "read": found.read, "streams": found.streams}


def _describe_witnesses(by: Sequence[tuple[str, int]], language: str) -> Iterator[str]:
    return (sentence("proven_witness", language, name=name, at=utc(at)) for name, at in by)


def _show(found: Sequence[ConflictProof], language: str) -> None:
    for one in found:
        old, new = read_checkpoint(one.cosigned), read_checkpoint(read_asked(one.asked).note)
        said = "evidence_split" if one.proves else "evidence_no_path"
        click.echo(sentence(said, language, at=utc(one.at), origin=one.origin, old=old.size, size=new.size))
        click.echo(f"\n{one.cosigned}\n{read_asked(one.asked).note}")
    if not found:
        click.echo(sentence("evidence_none", language))
    raise click.exceptions.Exit(int(bool(found)))
