-- How often moves were refused with which code, by the hour: for statistics. A refused move itself is recorded nowhere.
-- depends: journal-0001-tables

CREATE TABLE refusals (
    ruleset text COLLATE "C" NOT NULL,
    hour text COLLATE "C" NOT NULL, -- its beginning
    code text COLLATE "C" NOT NULL,
    number bigint NOT NULL,
    PRIMARY KEY (ruleset, hour, code)
);
