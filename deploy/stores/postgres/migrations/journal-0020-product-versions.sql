-- The versions of the product that upgraded the store. The last row says from which version on it can be used.
-- depends: journal-0001-tables

CREATE TABLE product_versions (
    number integer PRIMARY KEY CHECK (number > 0),
    version text COLLATE "C" NOT NULL UNIQUE,
    upgraded_at text COLLATE "C" NOT NULL,
    readable_from text COLLATE "C" NOT NULL -- the oldest version that can use the store from then on
);
