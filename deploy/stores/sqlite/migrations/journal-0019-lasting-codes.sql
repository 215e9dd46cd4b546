-- Codes that are good for a whole tournament, for several devices at one time. What lies here already is not of these: it stays as it was.
-- depends: journal-0013-sessions

ALTER TABLE join_codes ADD COLUMN lasting INTEGER NOT NULL DEFAULT 0; -- good until the tournament of the grant is over
ALTER TABLE join_codes ADD COLUMN devices INTEGER; -- for so many sessions at one time
ALTER TABLE sessions ADD COLUMN place INTEGER; -- which of the devices of its code, until it ends
CREATE UNIQUE INDEX sessions_places ON sessions (code, place);
