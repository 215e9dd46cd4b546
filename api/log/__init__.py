"""The log over HTTP: signed tree heads, tiles, and proofs of games (docs/proof.md)."""
