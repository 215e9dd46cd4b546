"""What `kiebitz replay` is made of: where a game comes from, how a moment of it reads, and the way through it key by key."""
