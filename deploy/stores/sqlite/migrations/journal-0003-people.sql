-- The people behind the ids of players. No event names them, so that they can be erased.
-- depends: journal-0001-tables

CREATE TABLE people (
    player TEXT PRIMARY KEY,
    name TEXT, -- NULL once erased, so that nothing brings it back
    alias TEXT, -- what the public sees
    words TEXT NOT NULL, -- folded, each with a blank before it: of name, alias and id
    public_words TEXT NOT NULL, -- of alias and id
    changed_at TEXT NOT NULL,
    changed_by TEXT NOT NULL
) STRICT, WITHOUT ROWID;
