-- Whether a person does not want to be called by name before anybody but officials.
-- depends: journal-0003-people

ALTER TABLE people ADD COLUMN objects smallint NOT NULL DEFAULT 0;
