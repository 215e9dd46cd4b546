"""Live updates: followers wait for commits and receive them, each with what they may see."""
