-- Who looked at hidden cards of a game, and in which minute: one line a minute, however often. They go after a year.
-- depends: journal-0001-tables

CREATE TABLE looks (
    minute TEXT NOT NULL, -- its first second
    game BLOB NOT NULL,
    view TEXT NOT NULL, -- arbiter or seat:n
    principal TEXT NOT NULL,
    tournament TEXT, -- that of the game
    PRIMARY KEY (game, minute, view, principal)
) STRICT, WITHOUT ROWID;

CREATE INDEX looks_tournament ON looks (tournament, minute) WHERE tournament IS NOT NULL;
CREATE INDEX looks_principal ON looks (principal, minute);
CREATE INDEX looks_minute ON looks (minute);
