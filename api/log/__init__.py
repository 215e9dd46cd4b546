"""The log over HTTP: checkpoints, tiles, and proofs of games (docs/proof.md)."""
