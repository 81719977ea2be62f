-- One row an entry, by name; no two names alike. construction_seconds, check_seconds and
-- recorded_at differ from run to run; all other columns follow from the program alone.
CREATE TABLE entry (
    name TEXT PRIMARY KEY,
    kind TEXT NOT NULL
        CHECK (kind IN ('symmetric', 'derived', 'residual', 'difference-set', 'hadamard')),
    v INTEGER NOT NULL CHECK (v >= 1),
    b INTEGER NOT NULL CHECK (b >= 1),
    r INTEGER,
    k INTEGER,
    lambda INTEGER,
    status TEXT NOT NULL
        CHECK (status IN ('constructed', 'constructible', 'impossible', 'unknown', 'refused')),
    reason TEXT NOT NULL,
    construction TEXT NOT NULL,
    reference TEXT NOT NULL,
    as_of TEXT NOT NULL,
    in_literature INTEGER NOT NULL CHECK (in_literature IN (0, 1)),
    parent TEXT REFERENCES entry (name) DEFERRABLE INITIALLY DEFERRED,
    digest TEXT NOT NULL,
    construction_seconds REAL,
    check_seconds REAL,
    recorded_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
    CHECK ((status = 'constructed') = (digest <> ''))
) WITHOUT ROWID;
CREATE INDEX entry_parameters ON entry (v, k, lambda);
-- The objects themselves; a derived or residual design follows from its parent.
CREATE TABLE content (
    name TEXT PRIMARY KEY REFERENCES entry (name),
    form TEXT NOT NULL CHECK (form IN ('base block', 'blocks', 'signs')),
    data BLOB NOT NULL
);
-- How far the catalog is complete: every subject up to max_v has been decided.
CREATE TABLE extent (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    max_v INTEGER NOT NULL
);
