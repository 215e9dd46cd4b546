-- Games as they stood every so many events: a shorter way to what the events say. All rows may be deleted at any time.
-- depends: journal-0001-tables

CREATE TABLE snapshots (
    game BLOB NOT NULL CHECK (length(game) = 16),
    position INTEGER NOT NULL CHECK (position > 0),
    form TEXT NOT NULL, -- of the program that wrote it: another one does not read it
    link TEXT NOT NULL, -- SHA-256 of the stored bytes of the event at this position
    earliest TEXT, -- the earliest moment at which an event since the snapshot before was recorded
    state BLOB NOT NULL,
    PRIMARY KEY (game, position)
) STRICT;
