"""Proofs that a record is the one that was written down (docs/proof.md): a Merkle tree, signed notes, and files that carry both."""
