"""`kiebitz` with a parent that kills a silent worker after five seconds."""

from deploy.cli.main import main
from deploy.server.workers import parent

if __name__ == "__main__":
    parent._SILENCE = 5.0
    main()
