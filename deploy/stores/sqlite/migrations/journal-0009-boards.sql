-- Decks that a director prepared for the boards of a round. No read tells them; the deal of a board is the first event that holds its deck.
-- depends: journal-0001-tables

CREATE TABLE prepared_boards (
    tournament TEXT NOT NULL,
    round INTEGER NOT NULL CHECK (round > 0),
    board INTEGER NOT NULL CHECK (board > 0),
    deck TEXT NOT NULL, -- the cards as a JSON array, the first is dealt first
    prepared_at TEXT NOT NULL,
    prepared_by TEXT NOT NULL,
    dealt INTEGER NOT NULL DEFAULT 0 CHECK (dealt IN (0, 1)), -- at any table: from then on the deck stays
    PRIMARY KEY (tournament, round, board)
) STRICT, WITHOUT ROWID;
