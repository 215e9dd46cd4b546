"""Where a page leads on to: paths of this service, and nowhere else."""

import re

PATH = r"^/(?![/\\])[!-\[\]-~]*$(?!\n)"
"""A path of ours: browsers take ``//`` and a backslash after the first one for the beginning of another host."""
LONGEST = 500


def is_own_path(path: str) -> bool:
    return len(path) <= LONGEST and re.fullmatch(PATH, path) is not None


def own_path(path: str) -> str:
    """The path; empty where it leads elsewhere."""
    return path if is_own_path(path) else ""
