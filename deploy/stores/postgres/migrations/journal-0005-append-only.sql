-- Events are appended and read, never changed, removed or replaced.
-- depends: journal-0001-tables

CREATE FUNCTION refuse_to_change_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION
        'events are append-only: what was recorded is never changed or removed; a mistake is put right by a further event'
        USING ERRCODE = 'restrict_violation';
END
$$;

-- For each statement, because TRUNCATE touches no rows.
CREATE TRIGGER events_are_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON events
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_to_change_events();
