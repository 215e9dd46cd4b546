-- The versions of the product that upgraded the store. The last row says from which version on it can be used.
-- depends: journal-0001-tables

CREATE TABLE product_versions (
    number INTEGER PRIMARY KEY CHECK (number > 0),
    version TEXT NOT NULL UNIQUE,
    upgraded_at TEXT NOT NULL,
    readable_from TEXT NOT NULL -- the oldest version that can use the store from then on
) STRICT;
