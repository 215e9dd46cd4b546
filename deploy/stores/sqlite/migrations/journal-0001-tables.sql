-- What the journal keeps: the events, and what is neither event nor projection.

CREATE TABLE events (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT, -- the place in the whole store; a number is never used twice
    originator_id BLOB NOT NULL CHECK (length(originator_id) = 16),
    originator_version INTEGER NOT NULL CHECK (originator_version > 0),
    topic TEXT NOT NULL,
    state BLOB NOT NULL,
    UNIQUE (originator_id, originator_version)
) STRICT;

CREATE TABLE commands (
    principal TEXT NOT NULL,
    key TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    game BLOB NOT NULL, -- the originator of the command's first event
    first INTEGER NOT NULL, -- the versions it appended there
    last INTEGER NOT NULL,
    sequence INTEGER NOT NULL, -- of the command's last event
    at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')), -- for pruning only, hence the database's clock
    PRIMARY KEY (principal, key)
) STRICT, WITHOUT ROWID;

CREATE INDEX commands_at ON commands (at);

CREATE TABLE tokens (
    id TEXT PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE, -- SHA-256 of the secret, hexadecimal; the secret is nowhere
    principal TEXT NOT NULL,
    role TEXT NOT NULL,
    label TEXT NOT NULL,
    issued_at TEXT NOT NULL,
    revoked_at TEXT
) STRICT;

CREATE TABLE texts (
    id TEXT PRIMARY KEY,
    body TEXT -- NULL once erased, so that the id stays taken
) STRICT;
