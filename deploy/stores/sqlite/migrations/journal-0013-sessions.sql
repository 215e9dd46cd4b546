-- Browsers stay signed in by a cookie, and come in by a short code. Of both secrets only a digest is kept.
-- depends: journal-0001-tables

CREATE TABLE join_codes (
    id TEXT PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,
    role TEXT NOT NULL,
    bounds TEXT, -- JSON of the grant; NULL: of everything
    label TEXT NOT NULL,
    issued_at TEXT NOT NULL,
    issued_by TEXT, -- a principal; NULL: the command line
    until_at TEXT,
    until_round INTEGER CHECK (until_round > 0), -- of the tournament of the grant: until this round closes
    many INTEGER NOT NULL CHECK (many IN (0, 1)), -- good for many sessions, or for one
    token TEXT, -- a code that stands for a token, by the id of it
    giver_token TEXT, -- the id of the token by which it was issued, and with which it falls
    giver_code TEXT, -- the id of the code of whose session it was issued, and with which it falls
    withdrawn_at TEXT
) STRICT, WITHOUT ROWID;

CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE, -- of the cookie
    principal TEXT NOT NULL,
    role TEXT NOT NULL,
    bounds TEXT,
    label TEXT NOT NULL,
    began_at TEXT NOT NULL,
    ends_at TEXT NOT NULL,
    used_at TEXT NOT NULL,
    token TEXT, -- the id of the token that it falls with; of a code: by which that was issued
    code TEXT, -- the id of the code that it was made of
    until_round INTEGER CHECK (until_round > 0),
    redeemed TEXT UNIQUE, -- the id of a code that is good for one session
    ended_at TEXT
) STRICT, WITHOUT ROWID;
