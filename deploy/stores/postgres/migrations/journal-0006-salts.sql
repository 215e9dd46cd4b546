-- A salt for each free text, so that the digest in an event leads nobody to the words. NULL for texts of before, and once erased.
-- depends: journal-0001-tables

ALTER TABLE texts ADD COLUMN salt bytea;
