"""One of several processes that serve at one address: ``python -m deploy.workers.process``.

Its parent (``parent.py``) starts it and says by its standard input, a line in both directions, what it serves and how far the
projections are.
"""

import dataclasses
import os
import signal
import socket
import sys
from contextlib import ExitStack

import msgspec

from api.app import create_app
from api.http.sending.request_ids import current_request_id
from deploy.compose import open_services
from deploy.failures import explained
from deploy.language import language_of
from deploy.log.keeper.compose import open_log
from deploy.logs.lines import start_logging
from deploy.projecting.line import Line, first_said
from deploy.serve import ANSWER, run
from deploy.settings import read_settings
from deploy.tls import tls_context
from deploy.usage import headed
from deploy.workers.drive import LineDrive
from deploy.workers.worker import BEATS, READY, Task


def main() -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: sys.exit(0))
    line = socket.socket(fileno=sys.stdin.fileno())
    told, rest = first_said(line)
    try:
        if told:
            _serve(msgspec.json.decode(told, type=Task), Line(line, rest))
    except Exception as error:
        failure = explained(error)
        if failure is None:
            raise
        language = language_of(os.environ)
        sys.exit(f"{headed(language)}{failure.in_words(language)}")


def _serve(task: Task, line: Line) -> None:
    settings = read_settings(os.environ, **task.flags)
    start_logging(settings.log_format, current_request_id)

    async def beat() -> None:
        line.mention(BEATS)

    drive = LineDrive(line, lambda: os._exit(1))  # whoever serves without a parent would hold its address for ever
    with (
        ExitStack() as stack,
        open_services(settings, answer=ANSWER, drive=drive, worker=task.number, key=task.key) as services,
    ):
        services.journal.store.settle()
        log = stack.enter_context(open_log(settings, services))
        sockets = [stack.enter_context(socket.socket(fileno=number)) for number in task.sockets]
        app, tls = create_app(dataclasses.replace(services, log=log)), tls_context(settings)
        run(app, sockets, lambda: line.mention(READY), settings.limits, tls, beat, access_log=settings.access_log)


if __name__ == "__main__":
    main()
