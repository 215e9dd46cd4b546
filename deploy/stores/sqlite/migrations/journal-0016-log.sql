-- The log: its epochs, the keys that sign what it tells, and the keys that blind what it commits to. Its tree is no register: it is made of
-- the events.
-- depends: journal-0001-tables

CREATE TABLE log_epochs (
    number INTEGER PRIMARY KEY CHECK (number > 0),
    origin TEXT NOT NULL UNIQUE, -- of its checkpoints
    key TEXT NOT NULL, -- the verifier key of whoever keeps it
    store TEXT NOT NULL, -- the epoch of the store that it follows
    forked TEXT, -- JSON of its first entry: where it parted from the epoch before; NULL for the first
    began_at TEXT NOT NULL
) STRICT;

CREATE TABLE log_keys (
    key TEXT PRIMARY KEY, -- a verifier key that signs what the log tells
    since TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE log_blinding (
    epoch INTEGER NOT NULL,
    leaf INTEGER NOT NULL, -- from this leaf on
    key BLOB NOT NULL CHECK (length(key) = 32),
    PRIMARY KEY (epoch, leaf)
) STRICT, WITHOUT ROWID;
