-- The people behind the ids of players. No event names them, so that they can be erased.
-- depends: journal-0001-tables

CREATE TABLE people (
    player text COLLATE "C" PRIMARY KEY,
    name text, -- NULL once erased, so that nothing brings it back
    alias text, -- what the public sees
    words text NOT NULL, -- folded, each with a blank before it: of name, alias and id
    public_words text NOT NULL, -- of alias and id
    changed_at text NOT NULL,
    changed_by text NOT NULL
);
