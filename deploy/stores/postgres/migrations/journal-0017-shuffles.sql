-- Secrets of decks that nobody chose, until an event tells them. No read tells them before.
-- depends: journal-0001-tables

CREATE TABLE shuffle_secrets (
    commitment text COLLATE "C" PRIMARY KEY, -- to which an event binds the service, hexadecimal
    secret text NOT NULL, -- hexadecimal
    kept_at text COLLATE "C" NOT NULL
);
