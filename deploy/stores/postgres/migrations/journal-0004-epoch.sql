-- The epochs of the store: within one, a sequence stands for the same event for ever. The last row is the present one.
-- depends: journal-0001-tables

CREATE TABLE epochs (
    number integer PRIMARY KEY CHECK (number > 0),
    id text NOT NULL UNIQUE, -- random
    common bigint, -- up to this sequence everything is as in the epoch before; NULL: not known
    place text, -- where it began: a copy of the store lies elsewhere; NULL until somebody recorded here
    began_at text COLLATE "C" NOT NULL
);

INSERT INTO epochs (number, id, began_at)
VALUES (1, substr(md5(gen_random_uuid()::text), 1, 16), to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'));
