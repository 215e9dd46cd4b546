"""Hands of which only the result is known (COM-67): what somebody reports of them, and how it is written on the sheet."""
