"""The description read by linters that others wrote: spectral (its rules of OpenAPI, OWASP's list) and redocly (``recommended-strict``)."""

import json
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

from tests.contract.exceptions import Apart, Exceptions, Finding
from tests.npm import NODE, packages, started

HERE = Path(__file__).parent
_MORE = {"no-invalid-schema-examples": "error", "no-invalid-media-type-examples": "error", "no-invalid-parameter-examples": "error"}
"""Rules of redocly beside the recommended ones."""


def findings(document: Path, excepted: Exceptions) -> Iterator[Finding]:
    """Errors, warnings and hints alike, without what is excepted; and exceptions that nothing needs. The rulesets are written beside the
    document."""
    tools, read, needed = packages(HERE / "node", "contract"), json.loads(document.read_bytes()), set[Apart]()
    for found in chain(_spectral(document, excepted, tools), _redocly(document, excepted, tools)):
        apart = {one for one in excepted.apart if one.speaks_of(found, read)}
        needed |= apart
        if not apart:
            yield found
    for idle in excepted.apart:
        if idle not in needed:
            yield Finding(
                "exceptions.toml", ", ".join(idle.rules), ", ".join(idle.where), "is excepted and not found any more: take it out"
            )


def _spectral(document: Path, excepted: Exceptions, tools: Path) -> Iterator[Finding]:
    rules = document.with_name("spectral.json")
    owasp = str(tools / "@stoplight" / "spectral-owasp-ruleset" / "dist" / "ruleset.mjs")
    off = dict.fromkeys([*excepted.spectral, *excepted.owasp], "off")
    rules.write_text(json.dumps({"extends": [["spectral:oas", "all"], [owasp, "all"]], "rules": off}))
    cli = tools / "@stoplight" / "spectral-cli" / "dist" / "index.js"
    for found in _told(cli, "lint", document, "--ruleset", rules, "--format", "json", "--quiet", "--fail-severity", "hint"):
        yield Finding("spectral", str(found["code"]), ".".join(map(str, found["path"])), found["message"])


def _redocly(document: Path, excepted: Exceptions, tools: Path) -> Iterator[Finding]:
    rules = document.with_name("redocly.yaml")  # JSON is YAML too
    named = {**_MORE, **dict.fromkeys(excepted.redocly, "off")}
    rules.write_text(json.dumps({"extends": ["recommended-strict"], "telemetry": "off", "rules": named}))
    cli = tools / "@redocly" / "cli" / "bin" / "cli.js"
    told = _told(cli, "lint", document, "--config", rules, "--format", "json", "--max-problems", "1000")
    for found in told["problems"]:
        where = found["location"][0].get("pointer", "")
        yield Finding("redocly", found["ruleId"], where.removeprefix("#/").replace("/", ".").replace("~1", "/"), found["message"])


def _told(cli: Path, *asked: object) -> Any:
    """What a linter prints as JSON. Raises ``RuntimeError`` where it prints something else, as it does when it breaks."""
    done = started(NODE, cli, *asked)
    said = done.stdout[min((at for at in (done.stdout.find("["), done.stdout.find("{")) if at >= 0), default=0) :]
    try:
        return json.JSONDecoder().raw_decode(said)[0]
    except json.JSONDecodeError as error:
        raise RuntimeError(f"{cli.name} ends with {done.returncode} and says:\n{done.stdout}") from error
