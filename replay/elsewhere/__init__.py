"""What a record says of its game besides hands and moves."""
