"""`kiebitz ha`."""

import signal
import sys
from pathlib import Path
from types import FrameType

import click

from deploy.cli.console import print_line
from deploy.config.failures import Failure
from deploy.ha import files, processes
from deploy.ha.cluster import BOOT, Cluster, running
from deploy.ha.layout import MACHINES, kept, on_machines
from deploy.ha.programs import Programs, found, install, lent_account
from deploy.system.language import lang_option, say, sentence

_KIEBITZ = Path(sys.executable).with_name("kiebitz")
_FOLDER = click.argument("folder", type=click.Path(path_type=Path, file_okay=False))


@click.group("ha")
def ha_command() -> None:
    """A cluster of PostgreSQL that survives the loss of a database server: tried out on this machine, or written down for three.

    \b
    Examples:
      kiebitz ha install                      what a cluster needs (as root; otherwise it says what to install)
      kiebitz ha start ./cluster              three databases, HAProxy and two services, until Ctrl-C
      kiebitz ha stop ./cluster               whatever is left of one that was killed
      kiebitz ha files ./files 10.0.0.1 10.0.0.2 10.0.0.3
                                              the files of three real machines
    """


@ha_command.command("install")
@lang_option
def install_command(language: str) -> None:
    """Install what a cluster needs: as root, from Debian's packages and PyPI's. Anybody else is told what to install."""
    programs = _programs()
    print_line(sentence("ha_installed", language, patroni=programs.patroni, postgres=programs.postgres))


@ha_command.command("start")
@_FOLDER
@lang_option
def start_command(folder: Path, language: str) -> None:
    """Start a cluster in FOLDER, a new one or the one that was there, and end it with Ctrl-C or SIGTERM.

    All of it is on this machine, which is the one thing that it does not survive. It is to be looked at and broken, not to be relied on.
    """
    programs = _programs()
    if left := processes.of(folder):
        raise Failure(say("ha_running", folder=folder, count=len(left)), say("ha_stop_first", folder=folder))
    signal.signal(signal.SIGTERM, _leave)
    print_line(sentence("ha_starting", language))
    try:
        with running(kept(folder), folder, programs, lent_account()) as cluster:
            cluster.make_database()
            for number in range(len(cluster.layout.services)):
                cluster.start_service(number, _KIEBITZ)
            _tell(cluster, language)
            cluster.attend()
    except KeyboardInterrupt:
        pass
    print_line(sentence("ha_ended", language))


@ha_command.command("stop")
@_FOLDER
@lang_option
def stop_command(folder: Path, language: str) -> None:
    """End whatever still runs of the cluster in FOLDER: where `kiebitz ha start` itself was killed, something may."""
    print_line(sentence("ha_stopped", language, count=processes.end_all(folder)))


@ha_command.command("files")
@_FOLDER
@click.argument("addresses", nargs=MACHINES)
@click.option("--postgres", type=int, default=15, show_default=True, help="The version of PostgreSQL that the machines have, from Debian.")
@lang_option
def files_command(folder: Path, addresses: tuple[str, ...], postgres: int, language: str) -> None:
    """Write the files of real machines at these ADDRESSES into a new FOLDER, with new passwords. Nothing is started."""
    if folder.exists():
        raise Failure(say("ha_files_there", folder=folder), say("ha_new_folder"))
    for file in files.write_for_machines(on_machines(addresses), folder, Path(f"/usr/lib/postgresql/{postgres}/bin")):
        print_line(str(file))


def _programs() -> Programs:
    if lent_account() is not None:
        install()
    return found()


def _tell(cluster: Cluster, language: str) -> None:
    layout = cluster.layout
    for port in layout.services:
        print_line(sentence("ha_service", language, address=f"http://127.0.0.1:{port}"))
    print_line(sentence("ha_database", language, url=layout.database_url))
    print_line(sentence("ha_seen", language, address=f"http://127.0.0.1:{layout.seen}"))
    print_line(sentence("ha_look", language, command=" ".join(cluster.patronictl("list"))))
    print_line(sentence("ha_token", language, file=cluster.folder / "service-1" / "kiebitz.log"))
    print_line(sentence("ha_trial", language, boot=BOOT))


def _leave(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt
