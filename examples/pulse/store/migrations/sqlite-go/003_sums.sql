-- +goose Up
CREATE TABLE minutes (host TEXT NOT NULL, at INTEGER NOT NULL, summary BLOB NOT NULL, PRIMARY KEY (host, at)) STRICT, WITHOUT ROWID;
CREATE TABLE hours (host TEXT NOT NULL, at INTEGER NOT NULL, summary BLOB NOT NULL, PRIMARY KEY (host, at)) STRICT, WITHOUT ROWID;
CREATE TABLE hosts (
	host    TEXT PRIMARY KEY,
	oldest  INTEGER NOT NULL, -- times of readings, milliseconds since 1970
	newest  INTEGER NOT NULL,
	heard   INTEGER NOT NULL, -- when a reading was stored last
	reading BLOB NOT NULL     -- which came last, in JSON
) STRICT, WITHOUT ROWID;
