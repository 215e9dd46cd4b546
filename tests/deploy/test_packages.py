"""The packages that `./run release` builds: their metadata, links for other places, and the guard against foreign packages."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import metadata
from pathlib import Path

import pytest

import kiebitz
from domain.version import VERSION
from tests.deploy.test_examples import EXAMPLES
from tests.first_page import WAYS
from tests.release import CLIENT, ROOT, resolve_links

README = "![Table](docs/pictures/table.png)\nRead [the tour](docs/tour.md#start), [games](../README.md) and [PyPI](https://pypi.org)."


def project(folder: Path) -> dict[str, object]:
    return dict(tomllib.loads((ROOT / folder / "pyproject.toml").read_text(encoding="utf-8"))["project"])


def start(file: Path, *arguments: str, **more: str) -> str:
    """Start that module in an environment without any other package; return what it complains of."""
    own = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", **more}
    return subprocess.run([sys.executable, "-S", file, *arguments], capture_output=True, text=True, check=False, env=own).stderr


def unpack(folder: Path) -> Path:
    """Write what the guard looks at, as an installer unpacks it; return the module to start."""
    notes = []
    for name in kiebitz.PACKAGES:
        (folder / name).mkdir(parents=True)
        (folder / name / "__init__.py").write_bytes((ROOT / name / "__init__.py").read_bytes())
        notes.append(f"{name}/__init__.py,sha256={kiebitz._digest(folder / name / '__init__.py')},100\n")
    (folder / "kiebitz-0.2.0.dist-info").mkdir()
    (folder / "kiebitz-0.2.0.dist-info" / "RECORD").write_text("".join(notes))
    return Path(shutil.copy(kiebitz.__file__, folder))


def test_the_metadata_of_what_is_installed_have_all_that_an_index_shows():
    shown = metadata("kiebitz")
    assert shown["Description-Content-Type"] == "text/markdown"
    assert shown["Summary"] == project(Path())["description"]
    assert {"Natural Language :: German", "Programming Language :: Python :: 3.13"} <= set(shown.get_all("Classifier") or ())


def test_both_packages_have_one_version_and_one_python_and_the_addresses_of_the_first():
    ours, client = project(Path()), project(CLIENT)
    assert [(ours[name], ours["readme"]) for name in ("version", "requires-python")] == [
        (client[name], client["readme"]) for name in ("version", "requires-python")
    ]
    assert ("urls" in ours, "urls" in client) == (True, False)


def test_this_version_stands_first_in_both_lists_of_changes():
    for file, heading in (("CHANGELOG.md", r"## \[(\S+)\]"), ("docs/changes.md", r"## (\d\S+)")):
        assert re.findall(heading, (ROOT / file).read_text(encoding="utf-8"))[0] == VERSION


def test_the_first_page_has_three_ways_and_the_wheel_of_this_version():
    source, package, container = WAYS
    assert source == "./run\n"
    assert package == f"uv tool install kiebitz-{VERSION}-py3-none-any.whl\nkiebitz serve\n"
    assert [line.split()[:2] for line in container.splitlines()] == [["docker", "build"], ["docker", "run"]]


def test_a_readme_on_an_index_leads_to_the_site_or_says_the_words_alone():
    site = {"Documentation": "https://club.example/kiebitz/"}
    assert resolve_links(README, "deploy", site).splitlines() == [
        "![Table](https://club.example/kiebitz/deploy/docs/pictures/table.png)",
        "Read [the tour](https://club.example/kiebitz/deploy/docs/tour/#start), [games](https://club.example/kiebitz/) and [PyPI](https://pypi.org).",
    ]
    assert resolve_links(README, "deploy", {}) == "\nRead the tour, games and [PyPI](https://pypi.org)."


def test_the_container_has_everything_that_the_package_is_built_from():
    copied = re.findall(r"^COPY (?!--)(.+) \S+$", (EXAMPLES / "Containerfile").read_text(encoding="utf-8"), re.MULTILINE)
    included = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]
    assert {name.lstrip("/") for name in included} <= {name for line in copied for name in line.split()}


def test_a_foreign_package_before_ours_is_named_with_what_to_do(tmp_path: Path):
    (tmp_path / "other" / "api").mkdir(parents=True)
    (tmp_path / "other" / "api" / "__init__.py").touch()
    module = unpack(tmp_path / "ours")
    # An installed command has the folders of PYTHONPATH before its own; here the folder of the started file would come first.
    program = tmp_path / "command.py"
    program.write_text(f"import sys; sys.path[:0] = [{str(tmp_path / 'other')!r}, {str(module.parent)!r}]; import kiebitz; kiebitz.main()")
    assert start(program) == (
        f"Kiebitz cannot start: the Python package “api” in {tmp_path}/other/api belongs to another program.\n"
        "Install Kiebitz in an environment of its own: uv tool install kiebitz-….whl (or pipx). Unset PYTHONPATH if it names that folder.\n"
    )
    assert start(program, "serve", "--lang", "de").startswith("Kiebitz kann nicht starten: Das Python-Paket „api“")


@pytest.mark.parametrize(("name", "line"), [("api", "import flask\n"), ("deploy", "")])
def test_a_package_that_another_distribution_overwrote_is_named(name: str, line: str, tmp_path: Path):
    module = unpack(tmp_path)
    assert "Kiebitz" not in start(module).splitlines()[0]  # nothing is foreign; only the rest is missing
    (tmp_path / name / "__init__.py").write_text(line)
    assert f"the Python package “{name}” in {tmp_path}/{name} belongs to another program." in start(module)
