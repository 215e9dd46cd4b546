"""The service with one route more: the smallest authenticated endpoint that does one durable INSERT. ``http.py`` starts it.

Prints the port and a recorder's token on one line, and ends at SIGTERM.
"""

import sys
from contextlib import closing
from pathlib import Path

import click
from litestar import post

from api.app import create_app
from api.http.guards import writers
from api.http.request import Request
from api.http.response import Response
from deploy.serve import listening, open_service, run
from deploy.settings import read_settings
from deploy.stores.sqlite.connections import connect
from deploy.tokens import issue


def main(folder: str) -> None:
    settings = read_settings({"KIEBITZ_DATA": folder, "KIEBITZ_PORT": "0"})
    with open_service(settings) as (services, _), closing(connect(Path(folder) / "bare.db", "rwc")) as bare, listening(settings) as line:
        bare.execute("CREATE TABLE bare (sequence INTEGER PRIMARY KEY AUTOINCREMENT, state BLOB NOT NULL) STRICT")

        @post("/bench/insert", before_request=writers)
        async def insert(request: Request) -> Response:
            bare.execute("INSERT INTO bare (state) VALUES (?)", (await request.body(),))
            return Response(b"{}", status=201)

        app = create_app(services)
        app.register(insert)
        _, secret = issue(services.registers, services.clock, "recorder", "bench")
        click.echo(f"{line.getsockname()[1]} {secret}")
        run(app, line, lambda: None)


if __name__ == "__main__":
    main(sys.argv[1])
