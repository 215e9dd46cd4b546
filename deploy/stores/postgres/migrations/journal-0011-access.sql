-- Tokens are bound: to a scope, a player or a seat, and a time. A token of before has no bounds: it is for everything, for ever.
-- depends: journal-0001-tables

ALTER TABLE tokens ADD COLUMN bounds text; -- JSON of the grant; NULL: of everything
ALTER TABLE tokens ADD COLUMN expires_at text;
ALTER TABLE tokens ADD COLUMN issued_by text;
ALTER TABLE tokens ADD COLUMN used_at text; -- the minute of its last use
