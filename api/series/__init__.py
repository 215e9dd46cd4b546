"""The wing of series: tournaments with one table."""
