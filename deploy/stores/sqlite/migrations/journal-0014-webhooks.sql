-- Where news is sent to, how far it has come, and what became of each message. The secret signs, so it lies here as it is.
-- depends: journal-0001-tables

CREATE TABLE webhooks (
    id TEXT PRIMARY KEY,
    url TEXT NOT NULL,
    label TEXT NOT NULL,
    principal TEXT NOT NULL,
    role TEXT NOT NULL,
    bounds TEXT, -- JSON of the grant; NULL: of everything
    chosen TEXT, -- JSON of the filters; NULL: all
    issued_at TEXT NOT NULL,
    issued_by TEXT,
    expires_at TEXT,
    secret TEXT NOT NULL,
    old_secret TEXT, -- signs, too, until old_until
    old_until TEXT,
    disabled_at TEXT,
    disabled_why TEXT CHECK (disabled_why IN ('asked', 'gone', 'failing')),
    epoch TEXT NOT NULL, -- all up to sequence of this epoch was delivered
    sequence INTEGER NOT NULL,
    passed INTEGER NOT NULL, -- and up to there nothing more is to be told
    attempts INTEGER NOT NULL, -- that failed since
    failing_since TEXT,
    next_at TEXT,
    holder TEXT, -- the process that sends, for as long as it raises beat
    beat INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE webhook_deliveries (
    message TEXT PRIMARY KEY,
    webhook TEXT NOT NULL,
    epoch TEXT NOT NULL,
    sequence INTEGER NOT NULL, -- 0: a test
    name TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    at TEXT NOT NULL, -- of the last attempt
    status INTEGER,
    problem TEXT,
    detail TEXT NOT NULL,
    delivered_at TEXT,
    again INTEGER NOT NULL CHECK (again IN (0, 1)) -- to be sent once more
) STRICT, WITHOUT ROWID;

CREATE INDEX webhook_deliveries_webhook ON webhook_deliveries (webhook, at, message);
CREATE INDEX webhook_deliveries_again ON webhook_deliveries (webhook) WHERE again = 1;
