-- What the record of an imported game says of where it comes from: what it is called there, and whatever else was written beside it.
-- depends: journal-0001-tables

CREATE TABLE origins (
    game uuid PRIMARY KEY,
    system text COLLATE "C", -- the ref of its record: which system, and which id there
    id text COLLATE "C",
    digest text COLLATE "C" NOT NULL, -- SHA-256 of the content of its record, hexadecimal
    meta text, -- a JSON object as it came; NULL where there was none, or it was erased
    CHECK ((system IS NULL) = (id IS NULL))
);

CREATE UNIQUE INDEX origins_ref ON origins (system, id) WHERE system IS NOT NULL;
