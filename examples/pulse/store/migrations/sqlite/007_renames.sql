-- +goose Up
-- Readings of an old name are stored under the new one.
CREATE TABLE renames (old TEXT PRIMARY KEY, new TEXT NOT NULL) STRICT, WITHOUT ROWID;
-- Who has renamed or removed hosts.
CREATE TABLE changes (id INTEGER PRIMARY KEY, at INTEGER NOT NULL, who TEXT NOT NULL, change TEXT NOT NULL) STRICT;
