-- What the record of an imported game says of where it comes from: what it is called there, and whatever else was written beside it.
-- depends: journal-0001-tables

CREATE TABLE origins (
    game BLOB PRIMARY KEY CHECK (length(game) = 16),
    system TEXT, -- the ref of its record: which system, and which id there
    id TEXT,
    digest TEXT NOT NULL, -- SHA-256 of the content of its record, hexadecimal
    meta TEXT, -- a JSON object as it came; NULL where there was none, or it was erased
    CHECK ((system IS NULL) = (id IS NULL))
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX origins_ref ON origins (system, id) WHERE system IS NOT NULL;
