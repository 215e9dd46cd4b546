-- Browsers stay signed in by a cookie, and come in by a short code. Of both secrets only a digest is kept.
-- depends: journal-0001-tables

CREATE TABLE join_codes (
    id text COLLATE "C" PRIMARY KEY,
    hash text COLLATE "C" NOT NULL UNIQUE,
    role text NOT NULL,
    bounds text, -- JSON of the grant; NULL: of everything
    label text NOT NULL,
    issued_at text COLLATE "C" NOT NULL,
    issued_by text COLLATE "C", -- a principal; NULL: the command line
    until_at text COLLATE "C",
    until_round integer CHECK (until_round > 0), -- of the tournament of the grant: until this round closes
    many integer NOT NULL CHECK (many IN (0, 1)), -- good for many sessions, or for one
    token text COLLATE "C", -- a code that stands for a token, by the id of it
    giver_token text COLLATE "C", -- the id of the token by which it was issued, and with which it falls
    giver_code text COLLATE "C", -- the id of the code of whose session it was issued, and with which it falls
    withdrawn_at text COLLATE "C"
);

CREATE TABLE sessions (
    id text COLLATE "C" PRIMARY KEY,
    hash text COLLATE "C" NOT NULL UNIQUE, -- of the cookie
    principal text COLLATE "C" NOT NULL,
    role text NOT NULL,
    bounds text,
    label text NOT NULL,
    began_at text COLLATE "C" NOT NULL,
    ends_at text COLLATE "C" NOT NULL,
    used_at text COLLATE "C" NOT NULL,
    token text COLLATE "C", -- the id of the token that it falls with; of a code: by which that was issued
    code text COLLATE "C", -- the id of the code that it was made of
    until_round integer CHECK (until_round > 0),
    redeemed text COLLATE "C" UNIQUE, -- the id of a code that is good for one session
    ended_at text COLLATE "C"
);
