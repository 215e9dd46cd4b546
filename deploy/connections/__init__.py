"""What is said over connections, and with whom."""
