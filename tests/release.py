"""``./run release``: builds wheels and source distributions into ``dist``, with a software bill of materials (SBOM) and checksums, installs
them into empty environments, and records a hand there. It imports every module and records a hand under the newest Python, too, with the
packages of ``uv.lock``. With ``--ways`` it also follows the first page of the documentation.
"""

import os
import posixpath
import re
import runpy
import shutil
import sys
import tomllib
from collections.abc import Mapping
from functools import partial
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from domain.version import VERSION
from tests.deploy.serving import Served, served
from tests.first_page import follow_first_page
from tests.npm import started

ROOT = Path(__file__).resolve().parents[1]
DIST = ROOT / "dist"
CLIENT = Path("deploy", "client")
NEWEST = re.findall(r"Python :: (3\.\d+)", (ROOT / "pyproject.toml").read_text(encoding="utf-8"))[-1]
IMPORT = """
import pathlib, importlib
for package in ("domain", "projections", "replay", "api", "deploy"):
    for file in pathlib.Path(package).rglob("*.py"):
        name = ".".join(file.with_suffix("").parts).removesuffix(".__init__")
        if not name.startswith("deploy.client") and not name.endswith("__main__"):
            importlib.import_module(name)
"""
_LINK = re.compile(r"(!?)\[([^\]]*)\]\((?!https?:|#)([^)#\s]+)(#[^)]*)?\)")


@click.command()
@click.option("--python", "pythons", multiple=True, default=[sys.executable], help="Try them with this Python; again for another one.")
@click.option(
    "--ways", type=click.Path(path_type=Path), help="Follow README.md in three ways; this folder keeps the base of the container."
)
def release(pythons: tuple[str, ...], ways: Path | None) -> None:
    """Build the packages of this version, and try them."""
    shutil.rmtree(DIST, ignore_errors=True)
    with TemporaryDirectory() as name:
        build_packages(Path(name, "tree"))
        bill = DIST / f"kiebitz-{VERSION}.cdx.json"
        call_uv("export", "--frozen", "--no-dev", "--all-extras", "--format", "cyclonedx1.5", "-o", bill)
        files = sorted(file for file in DIST.iterdir() if file.name != ".gitignore")
        sums = "".join(f"{sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in files)
        (DIST / "SHA256SUMS").write_text(sums)
        click.echo(sums)
        for number, python in enumerate(pythons):
            click.echo(f"{python}: {record_hand(Path(name, str(number)), python)}")
        click.echo(f"Python {NEWEST}: {try_newest_python(Path(name, 'newest'))}")
        if ways:
            client = install_client(Path(name), sys.executable)
            follow_first_page(ways.resolve(), wheel("kiebitz"), Path(bring_uv()), partial(record_with_client, client))


def build_packages(tree: Path) -> None:
    """Build both from a copy of the tree, with the addresses of ``project.urls`` in metadata and readmes."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    for name in ["pyproject.toml", *settings["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]]:
        source, target = ROOT / name.lstrip("/"), tree / name.lstrip("/")
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target)
    urls = settings["project"]["urls"]
    with (tree / CLIENT / "pyproject.toml").open("a") as file:
        file.writelines(["\n[project.urls]\n", *(f'{name} = "{url}"\n' for name, url in urls.items())])
    for folder in (Path(), CLIENT):
        readme = tree / folder / "README.md"
        readme.write_text(resolve_links(readme.read_text(encoding="utf-8"), folder.as_posix(), urls), encoding="utf-8")
        call_uv("build", "--quiet", "-o", DIST, tree / folder)


def resolve_links(text: str, folder: str, urls: Mapping[str, str]) -> str:
    """Return the text of a page for readers elsewhere, as on PyPI: relative links lead to the documentation site. As long as it has no
    address, they become plain text, and pictures are left out.
    """
    return _LINK.sub(partial(_resolve_link, folder, urls.get("Documentation", "").rstrip("/")), text)


def _resolve_link(folder: str, site: str, link: re.Match[str]) -> str:
    picture, text, path, place = link.groups(default="")
    if not site:
        return "" if picture else text
    page = re.sub(r"(^|/)README\.md$", r"\1", posixpath.normpath(posixpath.join(folder, path)))
    return f"{picture}[{text}]({site}/{re.sub(r'[.]md$', '/', page)}{place})"


def record_hand(folder: Path, base: str) -> str:
    """Install the wheels as a user does, start the service, and record a hand with the client. Return what its program prints."""
    places = {"UV_TOOL_DIR": str(folder / "tools"), "UV_TOOL_BIN_DIR": str(folder / "bin")}
    call_uv("tool", "install", "--quiet", "--no-config", "--python", base, wheel("kiebitz"), **places)
    python = install_client(folder, base)
    with served("--data", folder / "data", command=[str(folder / "bin" / "kiebitz")]) as service:
        done = record_with_client(python, service)
        if service.end():
            raise click.ClickException(done)
        return done


def try_newest_python(data: Path) -> str:
    """Import every module and record a hand under the newest Python that the package names, with the packages of ``uv.lock``."""
    base = find_python(NEWEST)
    if base is None:
        return "not on this machine"
    environment = ROOT / ".tools" / "pythons" / NEWEST
    call_uv("sync", "--quiet", "--frozen", "--no-dev", "--all-extras", "--python", base, UV_PROJECT_ENVIRONMENT=str(environment))
    python = environment / "bin" / "python"
    imported = started(python, "-W", "error", "-c", IMPORT, cwd=ROOT)
    if imported.returncode or imported.stdout:
        raise click.ClickException(imported.stdout)
    with served("--data", data, command=[str(environment / "bin" / "kiebitz")]) as service:
        done = record_with_client(python, service, PYTHONPATH=str(ROOT / CLIENT))
        if service.end():
            raise click.ClickException(done)
        return done


def find_python(version: str) -> str | None:
    """Return its path: on PATH, among those of uv, or of pyenv, whose commands on PATH do nothing unless that version is chosen."""
    folders = [str(folder) for folder in (Path.home() / ".pyenv" / "versions").glob(f"{version}.*/bin")]
    path = os.pathsep.join([*folders, os.environ["PATH"]])
    found = started(bring_uv(), "python", "find", "--no-project", "--system", version, UV_PYTHON_DOWNLOADS="never", PATH=path)
    return None if found.returncode else found.stdout.splitlines()[-1]


def install_client(folder: Path, base: str) -> Path:
    """Return the Python of a new environment with the client."""
    python = folder / "client" / "bin" / "python"
    call_uv("venv", "--quiet", "--python", base, python.parents[1])
    call_uv("pip", "install", "--quiet", "--python", python, wheel("kiebitz_client"))
    return python


def record_with_client(python: Path, service: Served, **environment: str) -> str:
    program = ROOT / CLIENT / "examples" / "record_hand.py"
    done = started(python, "-P", "-W", "error", program, service.url, service.token, cwd=python.parent, **environment)
    if done.returncode:
        raise click.ClickException(done.stdout)
    return done.stdout


def wheel(name: str) -> Path:
    return DIST / f"{name}-{VERSION}-py3-none-any.whl"


def call_uv(*arguments: object, **environment: str) -> None:
    """Call the pinned uv in the project; what it says if it fails ends the program."""
    done = started(
        bring_uv(), *arguments, cwd=ROOT, UV_PYTHON_DOWNLOADS="never", UV_CACHE_DIR=str(ROOT / ".tools" / "cache"), **environment
    )
    if done.returncode:
        sys.exit(done.stdout)


def bring_uv() -> str:
    return str(runpy.run_path(str(ROOT / "run"))["bring_uv"]())


if __name__ == "__main__":
    release()
