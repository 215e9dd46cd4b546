"""Entry points of the processes: the server, its workers, and those that project, export, read and back up."""
