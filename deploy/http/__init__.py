"""HTTP server at the socket level: connections, their limits, the fast path."""
