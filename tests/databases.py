"""On which databases a test runs: with the fixtures of a store on both, unless it says otherwise."""

import pytest

in_a_file = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
"""For what lies above the statements: other tests of the same file put those to both databases, and one more on PostgreSQL takes a tenth
of a second."""
