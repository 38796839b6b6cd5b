-- +goose Up
CREATE TABLE readings (
	id   INTEGER PRIMARY KEY,
	host TEXT    NOT NULL,
	at   INTEGER NOT NULL, -- milliseconds since 1970, UTC
	cpu REAL,
	cores TEXT,
	load1 REAL,
	load5 REAL,
	load15 REAL,
	memory_used INTEGER,
	memory_total INTEGER,
	swap_used INTEGER,
	swap_total INTEGER,
	uptime INTEGER,
	disks TEXT,
	networks TEXT,
	temperatures TEXT
) STRICT;
-- One reading for a host and moment, and one host's readings in order.
CREATE UNIQUE INDEX readings_host_at ON readings (host, at);
-- Every host's readings in order, and the old ones to prune.
CREATE INDEX readings_at_host ON readings (at, host);
