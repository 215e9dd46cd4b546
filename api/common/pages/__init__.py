"""Pages for browsers: what is the same on all of them."""
