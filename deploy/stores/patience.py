"""How long a store waits for a database server."""

ANSWER = 60.0
"""Seconds for a reply, where nobody is kept waiting but a command or a thread of its own."""
