-- How often moves were refused with which code, by the hour: for statistics. A refused move itself is recorded nowhere.
-- depends: journal-0001-tables

CREATE TABLE refusals (
    ruleset TEXT NOT NULL,
    hour TEXT NOT NULL, -- its beginning
    code TEXT NOT NULL,
    number INTEGER NOT NULL,
    PRIMARY KEY (ruleset, hour, code)
) STRICT, WITHOUT ROWID;
