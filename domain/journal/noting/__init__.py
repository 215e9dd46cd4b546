"""On the way into registers: noted in memory, written a moment later with all that came meanwhile."""
