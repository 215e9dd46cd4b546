"""`kiebitz witness`: cosigns the checkpoints of logs, and shows which of them contradict themselves. It needs no store of Kiebitz."""

import time
from pathlib import Path
from typing import Any

import click

from deploy.cli.options import setting_options, settings_of
from deploy.cli.proofs.key_options import keys_of
from deploy.language import lang_option, say, sentence
from deploy.log.witness.server import serve_witness
from deploy.log.witness.witness import open_witness, read_evidence
from deploy.usage import WrongCall
from replay.proof.alone import utc
from replay.proof.checkpoints import read_checkpoint
from replay.proof.notes import PLAIN
from replay.proof.witnessing import Evidence, read_asked


@click.command("witness")
@click.option(
    "--data", type=click.Path(path_type=Path), required=True, metavar="FOLDER", help="Folder of the witness: its key and its state."
)
@click.option("--name", metavar="NAME", help="By what the witness is known, for example witness.club.example. Needed the first time.")
@click.option(
    "--log", "logs", multiple=True, metavar="VKEY", help="The verifier key of a log to sign for, or a file of such; several times."
)
@click.option("--evidence", is_flag=True, help="Show what was kept of logs that contradicted themselves, and end.")
@setting_options("host", "port", "tls_cert", "tls_key")
@lang_option
def witness_command(data: Path, name: str | None, logs: tuple[str, ...], evidence: bool, language: str, **flags: Any) -> None:
    """Sign the checkpoints of logs that continue what was signed before, and refuse all others; ends with Ctrl-C or SIGTERM.

    It speaks c2sp.org/tlog-witness. Its folder must never be laid back from a backup: it would have forgotten what it signed.

    \b
    Exit code of --evidence: 0 nothing was kept, 1 something was.
    \b
    Examples:
      kiebitz witness --data ./witness --port 8100 --name witness.club.example --log other.example/log/1+1d7eb2ad+AYqI…
      kiebitz witness --data ./witness --evidence
    """
    if evidence:
        _show(read_evidence(data), language)
        return
    signed_for = keys_of(logs, "--log", kind=PLAIN)
    if not signed_for:
        raise WrongCall(say("witness_needs_log"))
    settings = settings_of({"data": str(data), **flags})
    with open_witness(data, name, signed_for, time.time) as (witness, key):

        def started(address: str) -> None:
            names = tuple(one.name for one in signed_for)
            click.echo(f"{sentence('witness_listens', language, name=key.name, address=address, logs=names)}\n{key}")

        serve_witness(witness, settings, started)


def _show(found: list[Evidence], language: str) -> None:
    for one in found:
        old, new = read_checkpoint(one.cosigned), read_checkpoint(read_asked(one.asked).note)
        said = "evidence_split" if one.proves else "evidence_no_path"
        click.echo(sentence(said, language, at=utc(one.at), origin=one.origin, old=old.size, size=new.size))
        click.echo(f"\n{one.cosigned}\n{read_asked(one.asked).note}")
    if not found:
        click.echo(sentence("evidence_none", language))
    raise click.exceptions.Exit(int(bool(found)))
