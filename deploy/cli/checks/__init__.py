"""What `kiebitz doctor` looks at. Each check opens what it needs by itself, so that each can be asked alone."""
