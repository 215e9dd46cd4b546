-- The epochs of the store: within one, a sequence stands for the same event for ever. The last row is the present one.
-- depends: journal-0001-tables

CREATE TABLE epochs (
    number INTEGER PRIMARY KEY CHECK (number > 0),
    id TEXT NOT NULL UNIQUE, -- random
    common INTEGER, -- up to this sequence everything is as in the epoch before; NULL: not known
    place TEXT, -- where it began: a copy of the store lies elsewhere; NULL until somebody recorded here
    began_at TEXT NOT NULL
) STRICT;

INSERT INTO epochs (number, id, began_at) VALUES (1, lower(hex(randomblob(8))), strftime('%Y-%m-%dT%H:%M:%fZ', 'now'));
