"""Stores of older versions, kept as they were written, to be opened by this one."""
