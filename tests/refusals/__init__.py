"""Every refusal of every game, really raised, in both languages: for whoever reads the sentences as people will."""
