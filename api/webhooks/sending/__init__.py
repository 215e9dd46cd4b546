"""Sending of webhook messages: content, signatures, connections, and the division of work between processes."""
