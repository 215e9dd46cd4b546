-- The log: its epochs, the keys that sign what it tells, and the keys that blind what it commits to. Its tree is no register: it is made of
-- the events.
-- depends: journal-0001-tables

CREATE TABLE log_epochs (
    number bigint PRIMARY KEY CHECK (number > 0),
    origin text COLLATE "C" NOT NULL UNIQUE, -- of its checkpoints
    key text NOT NULL, -- the verifier key of whoever keeps it
    store text NOT NULL, -- the epoch of the store that it follows
    forked text, -- JSON of its first entry: where it parted from the epoch before; NULL for the first
    began_at text COLLATE "C" NOT NULL
);

CREATE TABLE log_keys (
    key text COLLATE "C" PRIMARY KEY, -- a verifier key that signs what the log tells
    since text COLLATE "C" NOT NULL
);

CREATE TABLE log_blinding (
    epoch bigint NOT NULL,
    leaf bigint NOT NULL, -- from this leaf on
    key bytea NOT NULL CHECK (length(key) = 32),
    PRIMARY KEY (epoch, leaf)
);
