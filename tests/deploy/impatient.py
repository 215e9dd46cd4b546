"""`kiebitz` that waits less: for a silent worker or sender, for requests when it ends, and for a database that does not answer."""

from api.service import health
from api.webhooks.sending import sender
from deploy.cli.main import main
from deploy.http import server
from deploy.server import serve, worker_parent
from deploy.stores.postgres import connections
from domain.journal import writer

if __name__ == "__main__":
    worker_parent._SILENCE = 2.0
    server.GRACE = 1  # pyrefly: ignore[bad-assignment]
    serve.ANSWER = connections.WAIT = health._PATIENCE = writer.GRACE = 1.0
    writer.GroupWriter.append.__kwdefaults__ = {"deadline": 2.0}
    sender._ROUND, sender._HELD, sender._LEFT = 0.3, 1.0, 2.0
    main()
