"""Proofs that a record is the one that was written down (docs/proof.md): a transparency log, signed notes, and files that carry proofs."""
