-- By what a game that was imported is known again, so that its file adds nothing when it comes once more.
-- depends: journal-0001-tables

CREATE TABLE refs (
    digest TEXT NOT NULL, -- SHA-256 of the content of its record, hexadecimal
    copy INTEGER NOT NULL CHECK (copy > 0), -- which of the equal ones in its file
    game BLOB NOT NULL CHECK (length(game) = 16),
    PRIMARY KEY (digest, copy)
) STRICT, WITHOUT ROWID;
