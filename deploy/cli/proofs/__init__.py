"""Commands about proofs: audit, verification, log and witness."""
