"""Commands about proofs: files held against keys."""
