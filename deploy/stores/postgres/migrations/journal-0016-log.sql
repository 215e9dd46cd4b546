-- The log: its epochs, the keys that sign what it tells, and the keys that blind what it commits to. Its tree is no register: it is made of
-- the events.
-- depends: journal-0001-tables

CREATE TABLE log_epochs (
    number bigint PRIMARY KEY CHECK (number > 0),
    origin text COLLATE "C" NOT NULL UNIQUE, -- of its checkpoints
    key text NOT NULL, -- the verifier key of whoever keeps it
    store text NOT NULL, -- the epoch of the store that it follows
    began_at text COLLATE "C" NOT NULL
);

CREATE TABLE log_keys (
    key text COLLATE "C" PRIMARY KEY, -- a verifier key that signs, or did so once
    since text COLLATE "C" NOT NULL
);

CREATE TABLE log_blinding (
    epoch bigint NOT NULL,
    leaf bigint NOT NULL, -- from this leaf on
    key bytea NOT NULL CHECK (length(key) = 32),
    PRIMARY KEY (epoch, leaf)
);

CREATE TABLE log_entries (
    epoch bigint NOT NULL,
    leaf bigint NOT NULL,
    position bigint NOT NULL, -- in the stream of the log
    name text NOT NULL,
    state text NOT NULL, -- JSON: where it parted from the epoch before, or which key comes
    PRIMARY KEY (epoch, leaf),
    UNIQUE (epoch, position)
);
