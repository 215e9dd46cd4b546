"""Keep a copy of the score lines in a SQLite file and ask it: ``python sync_scores.py URL TOKEN FILE``. Run it as often as you like."""

import sqlite3
import sys
from contextlib import closing

from kiebitz_client import Kiebitz

TOTALS = "SELECT ruleset, seat, sum(points) FROM scores WHERE state = 'counted' GROUP BY ruleset, seat ORDER BY 1, 2"


def sync_scores(url: str, token: str, file: str) -> None:
    with Kiebitz(url, token) as kiebitz:
        report = kiebitz.scores.sync(file)
    print(f"{report.changed} lines changed, {report.withdrawn} withdrawn")
    with closing(sqlite3.connect(file)) as database:
        for ruleset, seat, points in database.execute(TOTALS):
            print(f"{ruleset}, seat {seat}: {points} points")


if __name__ == "__main__":
    sync_scores(*sys.argv[1:])
