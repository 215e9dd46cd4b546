-- Decks that a director prepared for the boards of a round. No read tells them; the deal of a board is the first event that holds its deck.
-- depends: journal-0001-tables

CREATE TABLE prepared_boards (
    tournament text COLLATE "C" NOT NULL,
    round integer NOT NULL CHECK (round > 0),
    board integer NOT NULL CHECK (board > 0),
    deck text NOT NULL, -- the cards as a JSON array, the first is dealt first
    prepared_at text COLLATE "C" NOT NULL,
    prepared_by text NOT NULL,
    dealt integer NOT NULL DEFAULT 0 CHECK (dealt IN (0, 1)), -- at any table: from then on the deck stays
    PRIMARY KEY (tournament, round, board)
);
