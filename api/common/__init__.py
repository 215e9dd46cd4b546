"""Shared by several wings: commands, views of events, rulebooks, earlier positions of a game, texts, names."""
