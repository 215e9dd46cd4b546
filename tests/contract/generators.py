"""Client generators that others wrote: each makes a client of the description, and a short program plays a hand with it."""

import sys
from collections.abc import Iterator
from pathlib import Path
from shutil import copy
from tempfile import TemporaryDirectory

from msgspec import Struct

from tests.deploy.serving import Served
from tests.npm import NODE, packages, started

HERE = Path(__file__).parent
CLIENTS = HERE.parent / "clients"
PLAYED = """422 card_not_in_hand
trail of seat 0, position 3
trail of seat 1, position 4
trail of seat 0, position 5
trail of seat 1, position 6
"""
PLAYED_AND_REFUSED = """422 wrong_sum ['CNO-23']
422 card_not_in_hand 2♣ is not in your hand. Play a card that you hold.
CasinoTrail of seat 0, position 3
CasinoTrail of seat 1, position 4
CasinoTrail of seat 0, position 5
CasinoTrail of seat 1, position 6
404 unknown_game
"""
EVENING = """table 1: 48 moves
table 2: 48 moves
a tablet at another table: 403 forbidden
cora is cora
a code a second time: 401 unauthenticated
a player who deals: 403 forbidden
a player at the notes: 403 forbidden
a recorder who rules: 403 forbidden
a committee that deals: 403 forbidden
a round that is not over: 422 round_open
a passer-by: 401 unauthenticated
the spectator reads [1, 1, 3, 3]
a spectator who publishes: 403 forbidden
the passer-by reads [1, 1, 3, 3]
who signed out: 401 unauthenticated
the other is still recorder
"""
_COMPILE = "{node} {npm}/typescript/bin/tsc --strict --skipLibCheck --target es2022 --module commonjs --moduleResolution node10 program.ts"


_PYTHON_CLIENT = (
    "openapi-python-client generate --path {document} --output-path kiebitz_client --meta none "
    "--config {clients}/openapi-python-client.json --fail-on-warning"
)
_TYPES = "{python} -m pyrefly check --preset strict program.py"


class Generator(Struct, frozen=True):
    """Commands in one folder: one ``makes`` a client of ``{document}``, one ``checks`` that it compiles with ``program``, one ``runs``
    that. ``said``: the end of what the program prints.
    """

    program: str
    makes: str
    checks: str = _COMPILE
    runs: str = "{node} program.js"
    said: str = PLAYED


GENERATORS = {
    "openapi-python-client": Generator("playing.py", _PYTHON_CLIENT, _TYPES, "{python} -W error program.py", PLAYED_AND_REFUSED),
    "openapi-python-client, an evening": Generator("evening.py", _PYTHON_CLIENT, _TYPES, "{python} -W error program.py", EVENING),
    "openapi-generator": Generator(
        "openapi_generator.py",
        "openapi-generator-cli generate -g python -i {document} -o . --package-name kiebitz_api "
        "--global-property apiTests=false,modelTests=false,apiDocs=false,modelDocs=false",
        checks="{python} -m compileall -q kiebitz_api",
        runs="{python} program.py",
    ),
    "hey-api": Generator("hey_api.ts", "{node} {npm}/@hey-api/openapi-ts/bin/run.js -i {document} -o kiebitz"),
    "orval": Generator(
        "orval.ts",
        "{node} {npm}/orval/dist/bin/orval.mjs --input {document} --output kiebitz.ts --client fetch",
        f"{_COMPILE} --noCheck",  # its types take no body of several media types, as of lists of players in JSON or CSV
    ),
    "openapi-typescript": Generator(
        "openapi_typescript.ts",
        "{node} {npm}/openapi-typescript/bin/cli.js {document} --default-non-nullable=false -o kiebitz.d.ts",
    ),
}
"""By name, and what is played if it is no hand. The versions stand in ``node/package-lock.json`` and ``uv.lock``."""


def findings(document: Path, generator: Generator, server: Served) -> Iterator[str]:
    """Yield the output of the command that failed, if one did, or what the program says instead of what it should."""
    commands = (generator.makes, generator.checks, f"{generator.runs} {server.url} {server.token}")
    names = {"document": document, "clients": CLIENTS, "node": NODE, "python": sys.executable}
    with TemporaryDirectory() as name:
        folder = Path(name)
        copy(CLIENTS / generator.program, folder / f"program{Path(generator.program).suffix}")
        if any("{npm}" in one for one in commands):
            names["npm"] = folder / "node_modules"
            (folder / "node_modules").symlink_to(packages(HERE / "node", "contract"))
        said = ""
        for command in commands:
            done = started(*(part.format(**names) for part in command.split()), cwd=folder)
            if done.returncode:
                yield f"{command}\n{done.stdout[-4000:]}"
                return
            said = done.stdout
    if not said.endswith(generator.said):
        yield said[-4000:]
