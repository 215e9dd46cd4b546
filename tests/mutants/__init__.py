"""Mutants: small faults put into the product on purpose, to see whether the tests find them."""
