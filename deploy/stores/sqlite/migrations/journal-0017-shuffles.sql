-- Secrets of decks that nobody chose, until an event tells them. No read tells them before.
-- depends: journal-0001-tables

CREATE TABLE shuffle_secrets (
    commitment TEXT PRIMARY KEY, -- to which an event binds the service, hexadecimal
    secret TEXT NOT NULL, -- hexadecimal
    kept_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
