-- What the screens in the hall of a tournament show. No history is kept: words that were on the wall are gone once others are.
-- depends: journal-0001-tables

CREATE TABLE walls (
    tournament TEXT PRIMARY KEY,
    version INTEGER NOT NULL CHECK (version > 0), -- rises with every change
    shown TEXT NOT NULL, -- JSON of all but the words
    message TEXT, -- words of a director; NULL: none
    changed_at TEXT NOT NULL,
    changed_by TEXT NOT NULL -- a principal
) STRICT, WITHOUT ROWID;
