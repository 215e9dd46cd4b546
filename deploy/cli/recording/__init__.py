"""What `kiebitz record` is made of: the way to the games, what has been recorded, reading lines, and the terminal."""
