"""``./run release --ways FOLDER``: follows README.md, the first page of the documentation site, as a stranger in each of its three ways.

The stranger is no root and has an empty home folder. In each way they start the service by the commands of the page, sign in, type its
example, record a hand, and open the stores of all older versions. No Docker is needed: buildah builds the container file on a base that
debootstrap makes, and the service runs from its root file system, in namespaces of the stranger.
"""

import json
import os
import re
import shlex
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import click
import httpx

from tests.deploy.serving import Served, greeted
from tests.deploy.serving import started as running
from tests.npm import started
from tests.transcript import blocks, play
from tests.upgrades.test_upgrades import STORES, VERSIONS, as_then, differences, unpacked

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "README.md").read_text(encoding="utf-8")
WAYS = re.findall(r"^```sh\n(.*?)^```", PAGE.partition("\n## Three ways")[2].partition("\n## ")[0], re.MULTILINE | re.DOTALL)
CONTAINER_FILE = ROOT / "deploy" / "examples" / "Containerfile"
NOBODY = 65534
STRANGER = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"] if os.geteuid() == 0 else []
NETWORK = ("HTTPS_PROXY", "PIP_CERT", "SSL_CERT_FILE")  # as `./run` says it
DEBIAN = "trixie"  # whose Python the container file wants
DATA = ".local/share/kiebitz"


class Way(NamedTuple):
    """``script``: what the stranger types in their home folder; ``data``: where the games lie then."""

    script: str
    home: Path
    data: Path


def follow_first_page(cache: Path, wheel: Path, uv: Path, record: Callable[[Served], str]) -> None:
    source, package, container = WAYS
    with TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        follow("./run", clone(Path(folder, "source"), source), record)
        follow("wheel", provide_wheel(Path(folder, "wheel"), package, wheel, uv), record)
        missing = [name for name in ("buildah", "debootstrap", "unshare") if shutil.which(name) is None] + ["root"] * (os.geteuid() != 0)
        if missing:
            click.echo(f"container: not tried, because this is missing to build it: {', '.join(missing)}.")
        else:
            follow("container", unpack_container(Path(folder, "container"), container, cache), record)


def clone(home: Path, script: str) -> Way:
    call("git", "clone", "--quiet", ROOT, home / "kiebitz")
    return Way(f"cd kiebitz\n{script}", home, home / DATA)


def provide_wheel(home: Path, script: str, wheel: Path, uv: Path) -> Way:
    (home / ".local" / "bin").mkdir(parents=True)
    shutil.copy(uv, home / ".local" / "bin")
    shutil.copy(wheel, home)
    return Way(script, home, home / DATA)


def follow(name: str, way: Way, record: Callable[[Served], str]) -> None:
    """Go this way to its end, and say how long it took."""
    give(way.home)
    began = time.monotonic()
    with serve(way) as service:
        click.echo(f"{name}: listens after {time.monotonic() - began:.0f} s")
        [code] = re.findall(r"/in#(\w+)$", service.greeting, re.MULTILINE)
        signed_in = httpx.post(f"{service.url}/in", json={"secret": code}, headers={"Origin": service.url})
        expect(signed_in.json()["role"], "director", f"{name}: the link")
        expect(play(PAGE, service.url, str(service.token)), blocks(PAGE), f"{name}: the example")
        click.echo(f"{name}: {record(service).splitlines()[-1]}")
    for version in VERSIONS:
        expect(list(upgrade(way, STORES / version)), [], f"{name}: the store of {version}")
    click.echo(f"{name}: stores of {', '.join(VERSIONS)} upgraded; done after {time.monotonic() - began:.0f} s")


def upgrade(way: Way, store: Path) -> Iterator[str]:
    """Start the service on an older store; yield how records of its games differ from those of its own version."""
    shutil.rmtree(way.data)
    way.data.mkdir(mode=0o700)
    (way.data / "journal.db").write_bytes(unpacked(store / "sqlite.db.gz"))
    give(way.data)
    before = json.loads(unpacked(store / "sqlite.json.gz"))
    with serve(way) as service, service.client(before["director"]) as client:
        for path in filter(re.compile("/record$").search, before["told"]):
            yield from differences(as_then(path, before["told"][path]), as_then(path, client.get(path).json()), path)


@contextmanager
def serve(way: Way) -> Iterator[Served]:
    """Type the commands of the way, and stop the service that the last of them starts."""
    *first, last = way.script.strip().splitlines()
    script = "\n".join([*first, f"exec {last}"])
    known = {name: os.environ[name] for name in NETWORK if name in os.environ}
    own = {"HOME": str(way.home), "PATH": f"{way.home}/.local/bin:/usr/bin:/bin", "LANG": "C.UTF-8", "KIEBITZ_PORT": "0", **known}
    clean = ["env", "-i", "--chdir", str(way.home), *(f"{name}={value}" for name, value in own.items())]
    with running([*STRANGER, *clean, "bash", "-ec", script]) as process:
        service = greeted(process)
        yield service
        expect(service.end(), 0, "the exit code")


def unpack_container(home: Path, script: str, cache: Path) -> Way:
    """Build the image as the page says, and let the stranger unpack its files. The last line of the page becomes one that starts its
    command in namespaces of theirs, where they are the user that the file names.
    """
    build, run = (shlex.split(line, comments=True) for line in script.strip().splitlines())
    began = time.monotonic()
    buildah: list[str | Path] = ["buildah", "--root", cache / "storage", "--runroot", cache / "run"]
    bring_base(buildah, cache)
    call(*buildah, "build", "--isolation", "chroot", "--format", "docker", *build[2:], cwd=ROOT)
    image = run[-1]
    settings = json.loads(call(*buildah, "inspect", "--type", "image", image))["Docker"]["config"]
    files = home / "files"
    (home / "volume").mkdir(parents=True)
    files.mkdir()
    give(home)
    container = call(*buildah, "from", image).strip()
    try:
        mounted = call(*buildah, "mount", container).strip()
        unpack = shlex.join(["tar", "--extract", f"--directory={files}"])
        call("bash", "-ec", f"tar --create --directory={mounted} --exclude=./dev/* . | {shlex.join(STRANGER)} {unpack}")
        user = re.search(rf"^{settings['User']}:x:(\d+):(\d+)", Path(mounted, "etc", "passwd").read_text(), re.MULTILINE)
    finally:
        call(*buildah, "rm", container)
    assert user
    place = files / run[run.index("-v") + 1].partition(":")[2].lstrip("/")
    mounts = f"mount --rbind /dev {files}/dev; mount --rbind /proc {files}/proc; mount --bind {home}/volume {place}"
    inside = ["unshare", "--user", f"--map-user={user[1]}", f"--map-group={user[2]}", f"--root={files}", "--wd=/"]
    command = shlex.join([*inside, "env", "-i", *settings["Env"], "KIEBITZ_PORT=0", *settings["Cmd"]])
    click.echo(f"container: built after {time.monotonic() - began:.0f} s")
    return Way(shlex.join(["unshare", "--map-root-user", "--mount", "sh", "-ec", f"{mounts}; exec {command}"]), home, home / "volume")


def bring_base(buildah: list[str | Path], cache: Path) -> None:
    """Make what the container file builds on, unless the folder has it: Debian with Python, as the official image."""
    [name] = re.findall(r"^FROM (\S+) AS build$", CONTAINER_FILE.read_text(), re.MULTILINE)
    cache.mkdir(parents=True, exist_ok=True)
    if started(*buildah, "inspect", "--type", "image", name).returncode == 0:
        return
    with TemporaryDirectory(dir=cache) as folder:
        call("debootstrap", "--variant=minbase", "--include=python3,python3-pip,python-is-python3,ca-certificates", DEBIAN, folder)
        for note in Path(folder).glob("usr/lib/python3*/EXTERNALLY-MANAGED"):
            note.unlink()
        container = call(*buildah, "from", "scratch").strip()
        call(*buildah, "add", container, folder, "/")
    if certificates := os.environ.get("SSL_CERT_FILE"):
        inside = "/etc/ssl/certs/ca-certificates.crt"
        call(*buildah, "copy", container, certificates, inside)
        call(*buildah, "config", "--env", f"SSL_CERT_FILE={inside}", container)
    call(*buildah, "commit", "--rm", container, name)


def give(folder: Path) -> None:
    if STRANGER:
        call("chown", "--recursive", f"{NOBODY}:{NOBODY}", folder)


def expect(found: object, wanted: object, of: str) -> None:
    if found != wanted:
        raise click.ClickException(f"{of}: {found!r} instead of {wanted!r}")


def call(*command: object, cwd: Path | None = None) -> str:
    """Return what a command says that succeeds."""
    done = started(*command, cwd=cwd)
    if done.returncode:
        raise click.ClickException(f"{shlex.join(map(str, command))}\n{done.stdout}")
    return done.stdout
