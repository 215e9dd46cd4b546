-- Where news is sent to, how far it has come, and what became of each message. The secret signs, so it lies here as it is.
-- depends: journal-0001-tables

CREATE TABLE webhooks (
    id text COLLATE "C" PRIMARY KEY,
    url text NOT NULL,
    label text NOT NULL,
    principal text COLLATE "C" NOT NULL,
    role text NOT NULL,
    bounds text, -- JSON of the grant; NULL: of everything
    chosen text, -- JSON of the filters; NULL: all
    issued_at text COLLATE "C" NOT NULL,
    issued_by text COLLATE "C",
    expires_at text COLLATE "C",
    secret text NOT NULL,
    old_secret text, -- signs, too, until old_until
    old_until text COLLATE "C",
    disabled_at text COLLATE "C",
    disabled_why text COLLATE "C" CHECK (disabled_why IN ('asked', 'gone', 'failing')),
    epoch text COLLATE "C" NOT NULL, -- all up to sequence of this epoch was delivered
    sequence bigint NOT NULL,
    passed bigint NOT NULL, -- and up to there nothing more is to be told
    attempts integer NOT NULL, -- that failed since
    failing_since text COLLATE "C",
    next_at text COLLATE "C",
    holder text COLLATE "C", -- the process that sends, for as long as it raises beat
    beat bigint NOT NULL
);

CREATE TABLE webhook_deliveries (
    message text COLLATE "C" PRIMARY KEY,
    webhook text COLLATE "C" NOT NULL,
    epoch text COLLATE "C" NOT NULL,
    sequence bigint NOT NULL, -- 0: a test
    name text COLLATE "C" NOT NULL,
    attempts integer NOT NULL,
    at text COLLATE "C" NOT NULL, -- of the last attempt
    status integer,
    problem text,
    detail text NOT NULL,
    delivered_at text COLLATE "C",
    again integer NOT NULL CHECK (again IN (0, 1)) -- to be sent once more
);

CREATE INDEX webhook_deliveries_webhook ON webhook_deliveries (webhook, at, message);
CREATE INDEX webhook_deliveries_again ON webhook_deliveries (webhook) WHERE again = 1;
