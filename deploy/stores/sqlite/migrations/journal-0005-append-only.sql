-- Events are appended and read, never changed, removed or replaced.
-- depends: journal-0001-tables

CREATE TRIGGER events_are_not_changed BEFORE UPDATE ON events
BEGIN
    SELECT RAISE(ABORT, 'events are append-only: what was recorded is never changed; a mistake is put right by a further event');
END;

CREATE TRIGGER events_are_not_removed BEFORE DELETE ON events
BEGIN
    SELECT RAISE(ABORT, 'events are append-only: what was recorded is never removed; a mistake is put right by a further event');
END;

-- INSERT OR REPLACE removes rows, and asks no trigger of removals.
CREATE TRIGGER events_are_not_replaced BEFORE INSERT ON events
WHEN EXISTS (SELECT 1 FROM events WHERE originator_id = NEW.originator_id AND originator_version = NEW.originator_version)
    OR EXISTS (SELECT 1 FROM events WHERE sequence = NEW.sequence)
BEGIN
    SELECT RAISE(ABORT, 'events are append-only: there is an event at this place already');
END;
