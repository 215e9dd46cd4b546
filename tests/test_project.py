"""Checks of the project's own files, for errors that would otherwise appear only on another machine."""

import ast
import re
import runpy
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import nullcontext
from fnmatch import fnmatch
from importlib import import_module
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from msgspec import Struct

from tests.adding import blocks
from tests.each import each

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ["domain", "api", "projections", "replay", "deploy"]
PUBLIC = re.compile(r"https://pypi\.org/simple|https://files\.pythonhosted\.org/\S+")

KNOWN = [found.relative_to(ROOT).as_posix() for top in (*PACKAGES, "tests", "docs") for found in (ROOT / top, *(ROOT / top).rglob("*"))]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / name for name in KNOWN if name.endswith(".md"))])
ROOMS = sorted([*(ROOT / top for top in (*PACKAGES, "tests")), *(module.parent for module in ROOT.glob("api/*/__init__.py"))])
LINK = re.compile(r"\]\(<?([^)>\s]+)")
PATH = re.compile(r"`([\w./-]+(?:\.py|/))`")
INVENTED = {*blocks("adding-a-game.md"), *blocks("adding-a-projection.md")}  # the examples of these pages
FENCED = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)


@each("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_relative_link_of_a_page_leads_somewhere(page: Path):
    links = LINK.findall(FENCED.sub("", page.read_text(encoding="utf-8")))
    targets = [unquote(link.split("#")[0]) for link in links if "://" not in link and not link.startswith(("#", "mailto:"))]
    assert [target for target in targets if not (page.parent / target).exists()] == []


@each("room", ROOMS, ids=lambda room: str(room.relative_to(ROOT)))
def test_every_room_says_what_it_is_for(room: Path):
    assert 5 <= len((room / "README.md").read_text(encoding="utf-8").splitlines()) <= 25


@each("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_file_and_folder_that_a_page_names_is_there(page: Path):
    named = {path.rstrip("/") for path in PATH.findall(FENCED.sub("", page.read_text(encoding="utf-8")))} - INVENTED
    assert [path for path in sorted(named) if not any(f"/{known}".endswith(f"/{path}") for known in KNOWN)] == []


def test_the_lock_names_the_public_package_index_only():
    lock = (ROOT / "uv.lock").read_text(encoding="utf-8")
    addresses = re.findall(r'"([a-z+]+:/[^"]*)"', lock)
    assert addresses
    assert [address for address in addresses if not PUBLIC.fullmatch(address)] == []


def test_every_locked_package_comes_from_the_index_with_a_hash():
    lock = tomllib.loads((ROOT / "uv.lock").read_text(encoding="utf-8"))
    packages = lock["package"]
    foreign = [package["name"] for package in packages if set(package["source"]) != {"registry"}]
    files = [file for package in packages for file in [*package.get("wheels", []), *filter(None, [package.get("sdist")])]]
    assert foreign == ["kiebitz"]
    assert all(file["hash"].startswith("sha256:") for file in files)
    builds = {f"{one['name']}{one['specifier']}" for one in lock["manifest"]["build-constraints"]}
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert builds >= set(settings["build-system"]["requires"])
    assert settings["tool"]["uv"]["require-build-hashes"]  # else uv takes what has none


def test_a_quick_run_names_tests_that_are_there_and_tells_of_all_others():
    script = runpy.run_path(str(ROOT / "run"))
    files = sorted((ROOT / "tests").rglob("test_*.py"))
    quick = [file for file in files if script["is_quick"](file)]
    assert [path for path in script["QUICK"] if not (ROOT / path).exists()] == []
    assert [pattern for pattern in script["SLOW"] if not any(fnmatch(str(file), pattern) for file in files)] == []
    assert len(quick) + sum(number for _, number in script["left_out"]()) == len(files)
    assert ROOT / "tests" / "domain" / "test_table.py" in quick


def test_an_old_python_can_read_the_run_script_as_far_as_its_message():
    ast.parse((ROOT / "run").read_text(encoding="utf-8"), feature_version=(3, 7))


def test_the_run_script_and_the_package_want_the_same_python():
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["requires-python"]
    assert wanted == ">={}.{}".format(*runpy.run_path(str(ROOT / "run"))["OLDEST"])


@pytest.mark.parametrize(("version", "says"), [((3, 10), "needs Python 3.11 or newer"), ((3, 13), ""), ((3, 14), "not with 3.14")])
def test_the_run_script_refuses_an_old_python_and_takes_a_new_one_with_a_word(
    version: tuple[int, int], says: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    script = runpy.run_path(str(ROOT / "run"))
    monkeypatch.setattr(sys, "version_info", (*version, 0))
    with pytest.raises(SystemExit) if version < script["OLDEST"] else nullcontext():
        script["check_python"]()
    told = capsys.readouterr().err
    assert says in told if says else told == ""


@pytest.mark.parametrize("package", PACKAGES)
def test_the_packages_are_found_from_any_folder(package: str, tmp_path: Path):
    program = f"import {package}; print({package}.__file__)"
    found = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert Path(found.strip()) == ROOT / package / "__init__.py"


def test_every_folder_of_a_package_is_a_package():  # the import rules do not see the modules of one that is not
    folders = {module.parent for package in PACKAGES for module in (ROOT / package).rglob("*.py")} - {
        ROOT / "deploy" / "client" / "examples"
    }
    assert [str(folder.relative_to(ROOT)) for folder in sorted(folders) if not (folder / "__init__.py").exists()] == []


CHANGING = {
    "api.scores.formats._Left",
    "api.scores.formats._Right",
    "deploy.stores.postgres.journal._Sent",
    "domain.effects.Held",
    "domain.journal.snapshots._RecordedAt",
    "domain.journal.writer._QueuedCommit",
}
"""Structs whose fields are set again: tables that are folded, and commits under way."""


def test_no_struct_can_be_changed_but_those_that_are_made_for_it():
    for module in (module for package in PACKAGES for module in (ROOT / package).rglob("*.py")):
        name = ".".join(module.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        if not name.startswith("deploy.client.") and not name.endswith("__main__"):
            import_module(name)
    changing = {f"{one.__module__}.{one.__qualname__}" for one in subclasses_of(Struct) if not one.__struct_config__.frozen}
    ours = {name for name in changing if name.split(".")[0] in PACKAGES and not name.endswith("_signature_model")}  # those are Litestar's
    assert ours == CHANGING


def subclasses_of(base: Any) -> Iterator[Any]:
    for one in base.__subclasses__():
        yield one
        yield from subclasses_of(one)


def modules_of(folder: Path) -> list[Path]:
    return [module for module in folder.glob("*.py") if module.name != "__init__.py"]


def test_a_folder_of_few_modules_says_why_it_is_one():
    folders = {module.parent for package in PACKAGES for module in (ROOT / package).rglob("*.py")}
    few = [folder for folder in folders if folder.parent != ROOT and 0 < len(modules_of(folder)) < 4]
    pages = {folder: folder / "README.md" for folder in few}
    assert [str(folder) for folder, page in pages.items() if not page.exists() or "It is a folder because" not in page.read_text()] == []


def test_no_module_has_more_than_500_lines():
    long = {module: len(module.read_text().splitlines()) for package in PACKAGES for module in (ROOT / package).rglob("*.py")}
    assert {str(module): lines for module, lines in long.items() if lines > 500} == {}


PUT_TOGETHER = {"api/app.py", "deploy/compose.py"}


def imported_modules(module: Path) -> set[str]:
    """Return the modules of ours that the module imports; of a package each module used from it counts."""
    found = set[str]()
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] in PACKAGES:
            parts = (f"{node.module}.{alias.name}" for alias in node.names)
            found |= {part if is_module(part) else node.module or "" for part in parts}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names if alias.name.partition(".")[0] in PACKAGES}
    return found


def is_module(name: str) -> bool:
    place = ROOT.joinpath(*name.split("."))
    return place.with_suffix(".py").exists() or (place / "__init__.py").exists()


def test_no_module_imports_more_than_20_of_our_own():
    modules = {path.relative_to(ROOT).as_posix(): path for package in PACKAGES for path in (ROOT / package).rglob("*.py")}
    wide = {name: len(imported_modules(path)) for name, path in modules.items() if name not in PUT_TOGETHER}
    assert {name: number for name, number in wide.items() if number > 20} == {}


def test_readme_and_docs_stay_short():
    words = {page: len(page.read_text(encoding="utf-8").split()) for page in (ROOT / "README.md", *(ROOT / "docs").rglob("*.md"))}
    assert words[ROOT / "README.md"] <= 1_100
    assert {page.name: number for page, number in words.items() if page.parent.name == "decisions" and number > 200} == {}
    # 55,000 once every page was rewritten; what is built since may add 1,500, the page for integrators 700, those of releases and the
    # German start page 600, statistics 250, earlier seasons 300. The list of changes grows with every version.
    printed = words[ROOT / "docs" / "changes.md"] + words[ROOT / "docs" / "benchmarks.md"]  # old and new names; the table of a command
    assert sum(words.values()) - printed <= 57_525
