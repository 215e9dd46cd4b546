"""Outside view of a served log: its checkpoints over HTTP, a monitor, and doctor."""

from pathlib import Path

import httpx
from click.testing import CliRunner, Result

from deploy.cli.main import main
from deploy.config.settings import Settings
from deploy.log.writer.key_files import seeds
from deploy.system.private import private_folder
from replay.proof.checkpoints import Signer, VerifierKey
from tests.deploy.serving import until


def log_key(data: Path, host: str) -> VerifierKey:
    """The key of the log that begins in this folder at the first start."""
    private_folder(data)
    return Signer(f"{host}/log/1", seeds(Settings(data=data)).log).key


def published(client: httpx.Client) -> str:
    answer = client.get("/v1/log/checkpoint")
    return answer.text if answer.status_code == 200 else ""


def witnessed(client: httpx.Client, size: int) -> str:
    """The checkpoint of this size, as soon as the witness has signed it."""

    def signed() -> str | None:
        note = published(client)
        return note if f"\n{size}\n" in note and "— witness" in note else None

    return until(signed)


def monitor(client: httpx.Client, folder: Path, *keys: VerifierKey) -> Result:
    named = ("--log", keys[0], "--witness", keys[1]) if len(keys) > 1 else ("--log", keys[0])
    token = client.headers["Authorization"].removeprefix("Bearer ")
    called = ["witness", "--follow", client.base_url, *named, "--data", folder, "--token", token]
    return CliRunner().invoke(main, [*map(str, called)])


def doctor(data: Path, environment: dict[str, str]) -> str:
    return " ".join(CliRunner().invoke(main, ["doctor", "--data", str(data)], env=environment).stdout.split())
