"""The chapters of the evening, and what they share: stages and a request for each operation."""
