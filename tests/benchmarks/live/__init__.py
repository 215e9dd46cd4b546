"""Who follows: streams and waiting requests, beside a server that does nothing but write."""
