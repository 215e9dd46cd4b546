-- The log: its epochs, the keys that sign what it tells, and the keys that blind what it commits to. Its tree is no register: it is made of
-- the events.
-- depends: journal-0001-tables

CREATE TABLE log_epochs (
    number INTEGER PRIMARY KEY CHECK (number > 0),
    origin TEXT NOT NULL UNIQUE, -- of its checkpoints
    key TEXT NOT NULL, -- the verifier key of whoever keeps it
    store TEXT NOT NULL, -- the epoch of the store that it follows
    began_at TEXT NOT NULL
) STRICT;

CREATE TABLE log_keys (
    key TEXT PRIMARY KEY, -- a verifier key that signs, or did so once
    since TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE log_blinding (
    epoch INTEGER NOT NULL,
    leaf INTEGER NOT NULL, -- from this leaf on
    key BLOB NOT NULL CHECK (length(key) = 32),
    PRIMARY KEY (epoch, leaf)
) STRICT, WITHOUT ROWID;

CREATE TABLE log_entries (
    epoch INTEGER NOT NULL,
    leaf INTEGER NOT NULL,
    position INTEGER NOT NULL, -- in the stream of the log
    name TEXT NOT NULL,
    state TEXT NOT NULL, -- JSON: where it parted from the epoch before, or which key comes
    PRIMARY KEY (epoch, leaf),
    UNIQUE (epoch, position)
) STRICT, WITHOUT ROWID;
