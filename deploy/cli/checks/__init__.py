"""Checks of `kiebitz doctor`. Each one opens the resources it needs, so that it can run alone."""
