"""Shared by several wings: commands, views of events, rulebooks, the past of a game, texts, names."""
