"""Witness that cosigns logs, and monitor that follows a log over HTTP (c2sp.org/tlog-witness, c2sp.org/tlog-tiles)."""
