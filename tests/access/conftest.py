"""What the houses of these tests do without."""

from tests.api.conftest import codes_are_digested_fast, long_reads_stay_here

__all__ = ["codes_are_digested_fast", "long_reads_stay_here"]
