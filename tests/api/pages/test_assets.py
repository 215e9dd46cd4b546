"""What pages are made of: nothing that the policy would refuse, nothing from elsewhere, and no more than a phone should fetch."""

import gzip
import re
from pathlib import Path
from typing import get_args

import pytest

from api.common.pages.shell import POLICY, TYPES, digest, files, find_asset, modules_of, name_script, name_style
from domain.layout import DeckKind
from domain.texts import LANGUAGES
from tests.api.conftest import Service

_API = Path(__file__).parents[3] / "api"
_FORBIDDEN = (
    r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|"
    r"\beval\b|new Function|\.on[a-z]+\s*=|setAttribute\(\"style\"|javascript:"
)
_IMPORTED = r"""^import\b[^"';]*["']([^"']+)["']|^export\b[^"';]*\bfrom\s*["']([^"']+)["']|\bimport\(["'`]([^"'`]+)["'`]"""
_SCRIPTS = [name for name in files() if name.endswith(".js")]
_ENTRIES = sorted({*re.findall(r'script="(\w+\.js)"', "".join(path.read_text() for path in _API.rglob("*.py"))), "boot.js"})
MOST_SCRIPT, MOST = 20_500, 30_000
"""Bytes of the script of a page, and of all that its first visit fetches besides the page itself; packed."""


def packed(*names: str) -> int:
    return sum(len(gzip.compress(find_asset(name))) for name in names)


def scripts(entry: str, language: str) -> list[str]:
    """That of a page; where it draws cards one for each deck."""
    decks = get_args(DeckKind) if "cards.js" in modules_of(language, entry) else (None,)
    return [name_script(entry, language, deck) for deck in decks]


def style(entry: str) -> str:
    """Of all styles that are named beside the script where a page is put together."""
    pages = [text for path in (_API / "pages").rglob("*.py") if f'script="{entry}"' in (text := path.read_text())]
    return name_style("ground.css", *{name for text in pages for name in re.findall(r'"(\w+\.css)"', text)})


def keys(language: str) -> list[str]:
    """Of the words of all pages, and of those that rooms have of their own."""
    own = [text.decode() for name, text in files().items() if re.fullmatch(rf"words/(\w+\.)?{language}\.js", name)]
    return re.findall(r'^\s*"([^"]+)":', "".join(own), re.MULTILINE)


def test_no_script_makes_markup_of_text_or_code_of_words():
    for name in _SCRIPTS:
        assert re.findall(_FORBIDDEN, files()[name].decode()) == [], name


def test_a_script_imports_what_lies_beside_it():
    for name in _SCRIPTS:
        addresses = re.findall(_IMPORTED, files()[name].decode(), re.MULTILINE)
        assert [address for address in map("".join, addresses) if not address.startswith(("./", "../", "${import.meta.url."))] == [], name
        assert set(modules_of("en", name)) <= set(files()), name


def test_no_module_waits_for_itself():
    """In a bundle it would for ever."""
    assert [name for name in _SCRIPTS if any(name in modules_of("en", other) for other in modules_of("en", name)[1:])] == []


@pytest.mark.parametrize("entry", _ENTRIES)
def test_a_page_finds_every_module_that_it_uses(entry: str):
    first = scripts(entry, "de")[0]
    bundles, found = [first], set[str]()
    for bundle in bundles:
        text = find_asset(bundle).decode().removeprefix(files()["bundle.js"].decode())
        assert re.findall(r"^import\b|^export (?!default {)|\bimport\(|import\.meta", text, re.MULTILINE) == []
        found |= {*re.findall(r'^"([^"]+)": async \(use, url\) => {$', text, re.MULTILINE)}
        bundles += [f"{first[:-3]}/{name.replace('/', '.')}" for name in {*re.findall(r'\buse\("([^"]+)"\)', text)} - found]
        found |= {*re.findall(r'\buse\("([^"]+)"\)', text)}
    assert found <= set(files())


def test_no_script_but_one_holds_a_connection_for_news():
    """Browsers open six to a service: a page that held one of its own would take it from all others. A proof waits for a signature once,
    where somebody asks for it."""
    sought = r"EventSource|event-stream|WebSocket|getReader|[?&]wait=|\bwait: WAIT\b"
    assert {name for name in _SCRIPTS if re.search(sought, files()[name].decode())} <= {"streams/connection.js", "replay/proof.js"}


def test_no_file_names_another_host():
    """Names of namespaces are no addresses."""
    texts = {name: content.decode().replace("http://www.w3.org/", "") for name, content in files().items()}
    assert [name for name, text in texts.items() if re.search(r"https?://", text)] == []


def test_templates_have_nothing_that_the_policy_refuses():
    extending = [path for path in (_API / "templates").glob("*.j2") if "shell.html.j2" in path.name or "shell.html.j2" in path.read_text()]
    assert len(extending) > 3
    for path in extending:
        inline = re.findall(r"<style|\sstyle=|\son[a-z]+=|<script(?![^>]*\bsrc=)[^>]*>", path.read_text())
        assert inline == [], path.name


def test_all_languages_say_the_same():
    assert len({tuple(sorted(keys(language))) for language in LANGUAGES}) == 1
    for language in LANGUAGES:
        assert len(set(keys(language))) == len(keys(language))


@pytest.mark.parametrize("entry", _ENTRIES)
def test_the_script_of_a_page_is_small(entry: str):
    assert max(packed(name) for language in LANGUAGES for name in scripts(entry, language)) <= MOST_SCRIPT


@pytest.mark.parametrize("entry", _ENTRIES)
def test_a_first_visit_is_small(entry: str):
    assert max(packed(name, "early.js", style(entry), "icon.svg", "manifest.webmanifest") for name in scripts(entry, "de")) <= MOST


@pytest.mark.parametrize(("room", "most", "around"), [("/record", 29_500, 38_600), ("", 28_500, 9_000)])
def test_a_table_is_seen_after_five_requests(service: Service, room: str, most: int, around: int):
    """The page, and all that it names is fetched at once."""
    caller = service.caller("recorder")
    game = caller.post("/v1/games", {"ruleset": "casino", "seats": 2}).json()["game"]
    page = caller.get(f"/g/{game}{room}", headers={"accept": "text/html"}).text
    named = re.findall(r'<(?:script|link rel="(?:stylesheet|preload)")[^>]* (?:src|href)="([^"]+)"', page)
    sent = [page, *(caller.get(address.replace("&amp;", "&")).text for address in named)]
    assert (len(sent), sum(len(gzip.compress(text.encode())) for text in sent) <= most) == (5, True)
    (script,) = (address for address in named if ".french.js" in address)
    assert packed(f"{script.split('/', 3)[3].removesuffix('.js')}/{room[1:] or 'replay'}.around.js") <= around


def test_a_file_is_kept_for_ever_under_its_own_digest_only(service: Service):
    for shown, kept in ((digest(), "public, max-age=31536000, immutable"), ("before", "no-cache")):
        answer = service.caller(None).get(f"/assets/{shown}/words/en.js")
        assert (answer.status_code, answer.headers["cache-control"]) == (200, kept)
        assert answer.headers["content-type"] == "text/javascript; charset=utf-8"


def test_the_script_that_painting_waits_for_is_fetched_before_all_others(service: Service):
    page = service.caller(None).get("/", headers={"accept": "text/html"}).text
    assert re.search(r'(?:src|href)="/assets/\w+/([^"]+)"', page)[1] == "early.js"  # pyrefly: ignore[unsupported-operation]


@pytest.mark.parametrize(
    "name",
    [
        "none.js",
        "words/none.js",
        "none.de.js",
        "me.fr.js",
        "me.de.none.js",
        "me.de/none.js",
        "ground.none.css",
        "..%2Fapp.py",
        "words/..%2F..%2Fapp.py",
    ],
)
def test_what_is_no_asset_is_not_there(service: Service, name: str):
    assert service.client.get(f"/assets/{digest()}/{name}").status_code == 404


def test_every_kind_of_file_that_lies_there_is_served():
    lying = {path.suffix for path in (_API / "assets").rglob("*") if path.is_file() and path.name != "README.md"}
    assert lying <= set(TYPES)


def test_the_policy_lets_in_nothing_inline_and_nothing_from_elsewhere():
    assert "unsafe" not in POLICY
    assert set(re.findall(r"'[^']+'|[a-z]+:", POLICY)) == {"'none'", "'self'", "'script'", "data:"}
