-- A keyed digest of each snapshot; the key is not in the database. Snapshots without one do not count.
-- depends: journal-0002-snapshots

ALTER TABLE snapshots ADD COLUMN seal text;
