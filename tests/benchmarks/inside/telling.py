"""A server of ours that tells something of itself whenever it is asked: SIGUSR1, one line of JSON."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from api.app import create_app
from deploy.config.settings import Settings
from deploy.http.listening_socket import listening
from deploy.http.server import run
from deploy.server.serve import open_service
from tests.benchmarks.moves.machine import OTHERS, SERVER, on_core, put_beside
from tests.benchmarks.moves.places import Place, Running
from tests.deploy.serving import environment

Told = dict[str, float]


@contextmanager
def telling(module: str, place: Place, token: str) -> Iterator[tuple[Running, Callable[[], Told]]]:
    """``python -m MODULE FOLDER [URL]``, which calls ``serve_and_tell``, and what it told since it was last asked."""
    where = [str(place.settings.data), *filter(None, [place.settings.database_url])]
    with on_core(SERVER):
        process = subprocess.Popen([sys.executable, "-m", module, *where], stdout=subprocess.PIPE, text=True, env=environment())
    with process:
        assert process.stdout is not None
        told = process.stdout

        def ask() -> Told:
            os.kill(process.pid, signal.SIGUSR1)
            found: Told = json.loads(told.readline())
            return found

        try:
            port = int(told.readline())
            put_beside(process.pid, OTHERS)
            yield Running(process.pid, port, token), ask
        finally:
            process.terminate()


def serve_and_tell(tell: Callable[[], Told], folder: str, url: str | None = None, *, apart: bool = False) -> None:
    """``apart``: other processes project and keep the log, as under ``kiebitz serve``."""

    def told(_: int, __: FrameType | None) -> None:
        print(json.dumps(tell()), flush=True)

    signal.signal(signal.SIGUSR1, told)
    settings = Settings(data=Path(folder), database_url=url, port=0)
    with open_service(settings, apart=apart) as (services, _), listening(settings.host, settings.port) as line:
        print(line.getsockname()[1], flush=True)
        run(create_app(services), [line], lambda: None)
