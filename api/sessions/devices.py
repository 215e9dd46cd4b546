"""Lasting codes: which roles get a code that is good for a whole tournament, and how many devices it opens at one time."""

from collections.abc import Mapping

from api.http.tokens import Role

DEVICES: Mapping[Role, int | None] = {"player": 3, "recorder": 2, "arbiter": 2, "committee": 3, "viewer": None}
"""``None``: any number. A player has a phone, another device at home and one to spare; a table has a tablet and the one that replaces it;
an arbiter has a phone and a computer; a committee is three people. A director gets none: he lets others in and ends the tournament, so his
code is good for one session within ten minutes, and never lies on a printed card.
"""
