-- +goose Up
-- While a silence lasts, the alerts that it covers are not reported.
CREATE TABLE silences (id TEXT PRIMARY KEY, hosts TEXT NOT NULL, tag TEXT NOT NULL, rule TEXT NOT NULL, until INTEGER NOT NULL, reason TEXT NOT NULL, who TEXT NOT NULL, created INTEGER NOT NULL) STRICT, WITHOUT ROWID;
ALTER TABLE alerts ADD COLUMN silenced INTEGER NOT NULL DEFAULT 0;
ALTER TABLE alert_changes ADD COLUMN silenced INTEGER NOT NULL DEFAULT 0;
