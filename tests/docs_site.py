"""``./run docs``: builds the documentation site into ``site``, strictly: a broken link ends it.

Pages keep their paths in the tree, so that their relative links hold. The API reference is made from the OpenAPI document of a service.
"""

import json
import re
import shutil
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click

from api.service.docs_page import limits
from api.service.request_samples import sample_request, write_shell
from tests.deploy.serving import served
from tests.npm import started
from tests.test_project import FENCED, LINK, PAGES

ROOT = Path(__file__).resolve().parents[1]
SITE = ROOT / "site"
_BUILD = ("mkdocs", "build", "--strict", "--quiet", "--site-dir", SITE)
DECISIONS = Path("docs", "decisions")
_FOLDER = re.compile(r"(\]\((?!https?:)[^)\s]*/)\)")
_REFERENCE = re.compile(r"#/components/schemas/([^\"]+)")
_SCHEMA_LINK = re.compile(r"\]\(schema:(\w+)\)")
Json = Mapping[str, Any]


@click.command()
def docs() -> None:
    """Build the site."""
    with TemporaryDirectory() as name:
        copy_pages(Path(name, "pages"))
        with served("--data", Path(name, "data")) as service, service.client() as client:
            document = client.get("/openapi.json").json()
        pages = dict(write_reference(document))
        for file, text in pages.items():
            Path(name, "pages", file).write_text(text, encoding="utf-8")
        Path(name, "mkdocs.yml").write_text(_settings(sorted(file for file in pages if file.endswith(".md"))), encoding="utf-8")
        done = started(sys.executable, "-m", *_BUILD, cwd=Path(name), NO_MKDOCS_2_WARNING="1")
    click.echo(done.stdout or f"{sum(1 for _ in SITE.rglob('index.html'))} pages: {SITE}/index.html")
    sys.exit(done.returncode)


def _settings(reference: list[str]) -> str:
    """Return the configuration of MkDocs, with the reference and the addresses of the project."""
    urls = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["urls"]
    text = (ROOT / "docs" / "mkdocs.yml").read_text(encoding="utf-8").replace("REFERENCE", json.dumps(reference))
    return "".join(
        [text, *(f"{key}: {urls[name]}\n" for key, name in (("site_url", "Documentation"), ("repo_url", "Source")) if name in urls)]
    )


def copy_pages(tree: Path) -> None:
    """Copy all pages and what they link to. A link to a folder leads to its page; that of the decisions is a list of them."""
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for link in LINK.findall(FENCED.sub("", text)):
            target = (page.parent / link.partition("#")[0]).resolve()
            if target.is_file() and target.suffix != ".md":
                _copy(target, tree)
        path = tree / page.relative_to(ROOT)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(_FOLDER.sub(r"\1README.md)", text), encoding="utf-8")
    _copy(ROOT / "api" / "assets" / "icon.svg", tree)
    _copy(ROOT / "docs" / "site.css", tree)
    start = tree / "docs" / "start.de"
    start.mkdir()
    (start / "sitemap.xml").write_text("<urlset/>")  # the theme asks for it, because a language of its own is a site to it
    found = ((file.name, file.read_text(encoding="utf-8").partition("\n")[0]) for file in sorted((ROOT / DECISIONS).glob("0*.md")))
    (tree / DECISIONS / "README.md").write_text("# Decisions\n\n" + "".join(f"- [{title.lstrip('# ')}]({name})\n" for name, title in found))


def _copy(file: Path, tree: Path) -> None:
    target = tree / file.relative_to(ROOT)
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(file, target)


def write_reference(document: Json) -> Iterator[tuple[str, str]]:
    """Yield names and texts: the document, a page for each of its tags with the schemas that no page before it has, and one of the
    other schemas.
    """
    yield "openapi.json", json.dumps(document, ensure_ascii=False)
    operations = [(path, method, one) for path, methods in document["paths"].items() for method, one in methods.items()]
    schemas, places, pages = document["components"]["schemas"], dict[str, str](), dict[str, list[str]]()
    for tag in document["tags"]:
        found = [one for one in operations if one[2]["tags"][0] == tag["name"]]
        if found:
            page = f"reference-{tag['name'].lower()}.md"
            fresh = [name for name in _reach([one for _, _, one in found], schemas) if name not in places]
            places.update(dict.fromkeys(fresh, page))
            parts = [*(_operation(*one) for one in found), *(_schema(name, schemas[name]) for name in sorted(fresh))]
            pages[page] = [f"# {tag['name']}", "", tag["description"].capitalize() + ".", "", *parts]
    rest = [name for name in sorted(schemas) if name not in places]
    places.update(dict.fromkeys(rest, "reference-moves.md"))
    problems = ([name.removeprefix("Problem"), one["description"]] for name, one in sorted(document["components"]["responses"].items()))
    first = _table(("Status", "Problem"), problems)
    pages["reference-moves.md"] = ["# Moves and problems", *first, *(_schema(name, schemas[name]) for name in rest)]
    for page, lines in pages.items():
        yield page, _SCHEMA_LINK.sub(lambda link: f"]({places[link[1]]}#{link[1]})", "\n".join(lines))


def _reach(part: object, schemas: Json) -> list[str]:
    """Return the names of all schemas that the part of the document refers to, directly or not."""
    found, names = [*_REFERENCE.findall(json.dumps(part))], list[str]()
    while found:
        if (name := found.pop()) not in names:
            names.append(name)
            found += _REFERENCE.findall(json.dumps(schemas[name]))
    return names


def _operation(path: str, method: str, one: Json) -> str:
    """Return the section of an operation: what it takes, how it is called, and what it answers."""
    parameters = (
        [f"`{it['name']}` ({it['in']})", it.get("description") or it["schema"].get("description", ""), kind(it["schema"])]
        for it in one["parameters"]
    )
    bodies = [f"`{media}`: {kind(content['schema'])}" for media, content in one.get("requestBody", {}).get("content", {}).items()]
    answers = sorted(one["responses"].items())
    problems = [status for status, answer in answers if "$ref" in answer]
    return "\n".join(
        [
            f"## {one['summary']} {{#{one['operationId']}}}",
            f"\n`{method.upper()} {path}`\n",
            one.get("description", ""),
            *_table(("Parameter", "Meaning", "Type"), parameters),
            *(["\nBody: " + "; ".join(bodies)] if bodies else []),
            f"\n```sh\n{write_shell(sample_request(path, method, one, _example(one), ''))}\n```\n",
            *_table(("Status", "Answer", "Type"), ([status, *_answer(answer)] for status, answer in answers if "$ref" not in answer)),
            *([f"[Problems](reference-moves.md): {', '.join(problems)}"] if problems else []),
            "",
        ]
    )


def _example(operation: Json) -> str:
    contents = operation.get("requestBody", {}).get("content", {}).values()
    return next((name for content in contents for name in content.get("examples", {})), "")


def _answer(answer: Json) -> tuple[str, str]:
    contents = answer.get("content", {}).items()
    return answer["description"], "; ".join(f"`{media}` {kind(content.get('schema', {}))}" for media, content in contents)


def _schema(name: str, schema: Json) -> str:
    required = schema.get("required", ())
    fields = (
        [f"`{field}`{' (required)' * (field in required)}", one.get("description", ""), kind(one)]
        for field, one in schema.get("properties", {}).items()
    )
    heading = [f"### {name} {{#{name} data-search-exclude}}", "", schema.get("description", "")]
    return "\n".join([*heading, *(_table(("Field", "Meaning", "Type"), fields) or [kind(schema)]), ""])


def _table(heads: tuple[str, ...], rows: Iterable[Iterable[str]]) -> list[str]:
    found = [[" ".join(cell.split()).replace("|", "\\|") for cell in row] for row in rows]
    return ["", *(f"| {' | '.join(row)} |" for row in [list(heads), ["---"] * len(heads), *found]), ""] if found else []


def kind(schema: Json) -> str:
    """Return the type of a value in words, with its limits; names of schemas are links."""
    match schema:
        case {"$ref": reference}:
            name = reference.rpartition("/")[2]
            return f"[{name}](schema:{name})"
        case {"anyOf": kinds} | {"oneOf": kinds}:
            return " or ".join(dict.fromkeys(map(kind, kinds)))
        case {"enum": values}:
            return ", ".join(f"`{value}`" for value in values)
        case {"const": value}:
            return f"`{value}`"
        case {"type": "array", "items": dict(items)}:
            return f"list of {kind(items)}"
        case {"type": str(name)}:
            return ", ".join([schema.get("format", name), *(limit if limit[0] != "^" else f"`{limit}`" for limit in limits(schema))])
        case {"type": names}:
            return " or ".join(map(str, names))
        case _:
            return "any"


if __name__ == "__main__":
    docs()
