-- Games as they stood every so many events: a shorter way to what the events say. All rows may be deleted at any time.
-- depends: journal-0001-tables

CREATE TABLE snapshots (
    game uuid NOT NULL,
    position integer NOT NULL CHECK (position > 0),
    form text NOT NULL, -- of the program that wrote it: another one does not read it
    link text NOT NULL, -- SHA-256 of the stored bytes of the event at this position
    earliest text, -- the earliest moment at which an event since the snapshot before was recorded
    state bytea NOT NULL,
    PRIMARY KEY (game, position)
);
