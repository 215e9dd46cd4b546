-- What the journal keeps: the events, and what is neither event nor projection.

CREATE TABLE events (
    sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, -- the place in the whole store; gaps are allowed
    originator_id uuid NOT NULL,
    originator_version integer NOT NULL CHECK (originator_version > 0),
    topic text NOT NULL,
    state bytea NOT NULL,
    UNIQUE (originator_id, originator_version)
);

CREATE TABLE commands (
    principal text NOT NULL,
    key text NOT NULL,
    fingerprint text NOT NULL,
    game uuid NOT NULL, -- the originator of the command's first event
    first integer NOT NULL, -- the versions it appended there
    last integer NOT NULL,
    sequence bigint NOT NULL, -- of the command's last event
    at text COLLATE "C" NOT NULL -- for pruning only, hence the database's clock
        DEFAULT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    PRIMARY KEY (principal, key)
);

CREATE INDEX commands_at ON commands (at);

CREATE TABLE tokens (
    id text PRIMARY KEY,
    hash text NOT NULL UNIQUE, -- SHA-256 of the secret, hexadecimal; the secret is nowhere
    principal text NOT NULL,
    role text NOT NULL,
    label text NOT NULL,
    issued_at text NOT NULL,
    revoked_at text
);

CREATE TABLE texts (
    id text PRIMARY KEY,
    body text -- NULL once erased, so that the id stays taken
);
