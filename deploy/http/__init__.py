"""HTTP at the socket: connections, their limits, the fast path."""
