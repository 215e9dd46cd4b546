"""What several wings share: commands, what is told of events, rulebooks, the past of a game, texts, names."""
