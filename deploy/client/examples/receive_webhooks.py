"""Receive webhooks, each message once: ``python receive_webhooks.py SECRET FILE PORT``.

The id of the message and the work that it causes are stored in one transaction: a repeated message finds its id and changes nothing.
"""

import sqlite3
import sys
from collections.abc import Mapping
from contextlib import closing
from http.server import BaseHTTPRequestHandler, HTTPServer

from kiebitz_client import SignatureError, verify_webhook

TABLES = """
CREATE TABLE IF NOT EXISTS received (id TEXT PRIMARY KEY);
CREATE TABLE IF NOT EXISTS moves (game TEXT, moves INTEGER, PRIMARY KEY (game));
"""
COUNT = "INSERT INTO moves VALUES (?, 1) ON CONFLICT (game) DO UPDATE SET moves = moves + 1"


def receive(database: sqlite3.Connection, secret: str, body: bytes, headers: Mapping[str, str]) -> int:
    """Return the status to answer with. The service repeats what gets no 2xx."""
    try:
        message = verify_webhook(secret, body, headers)
    except SignatureError:
        return 400
    with database:  # all or nothing
        new = database.execute("INSERT OR IGNORE INTO received VALUES (?)", (headers["webhook-id"],)).rowcount
        if new and message["type"] == "move.played" and not message.get("test"):
            database.execute(COUNT, (message["data"]["id"],))
    return 204


def serve(secret: str, file: str, port: str) -> None:
    with closing(sqlite3.connect(file)) as database:
        database.executescript(TABLES)

        class Receiver(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                headers = {name.lower(): value for name, value in self.headers.items()}
                self.send_response(receive(database, secret, body, headers))
                self.end_headers()

        server = HTTPServer(("", int(port)), Receiver)
        print(f"listens on {server.server_port}", flush=True)
        server.serve_forever()


if __name__ == "__main__":
    serve(*sys.argv[1:])
