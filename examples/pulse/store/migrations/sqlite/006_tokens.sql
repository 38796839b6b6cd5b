-- +goose Up
CREATE TABLE tokens (
	name    TEXT PRIMARY KEY,
	hash    TEXT NOT NULL UNIQUE,
	may     TEXT NOT NULL, -- a Right
	hosts   TEXT NOT NULL,
	created INTEGER NOT NULL,
	owner   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
