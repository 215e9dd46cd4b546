"""Facilities of the operating system: files, clock, language, log lines, process priority."""
