"""`kiebitz transfer`."""
