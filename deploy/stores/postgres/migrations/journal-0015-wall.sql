-- What the screens in the hall of a tournament show. No history is kept: words that were on the wall are gone once others are.
-- depends: journal-0001-tables

CREATE TABLE walls (
    tournament text COLLATE "C" PRIMARY KEY,
    version bigint NOT NULL CHECK (version > 0), -- rises with every change
    shown text NOT NULL, -- JSON of all but the words
    message text, -- words of a director; NULL: none
    changed_at text COLLATE "C" NOT NULL,
    changed_by text COLLATE "C" NOT NULL -- a principal
);
