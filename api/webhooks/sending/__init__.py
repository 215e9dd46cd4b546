"""How messages are made, signed and sent."""
