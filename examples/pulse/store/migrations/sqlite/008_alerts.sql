-- +goose Up
-- The rules that hold for hosts.
CREATE TABLE alerts (host TEXT NOT NULL, rule TEXT NOT NULL, level TEXT NOT NULL, since INTEGER NOT NULL, PRIMARY KEY (host, rule)) STRICT, WITHOUT ROWID;
-- The beginnings and ends of alerts. An id is never used twice.
CREATE TABLE alert_changes (id INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, host TEXT NOT NULL, rule TEXT NOT NULL, level TEXT NOT NULL, firing INTEGER NOT NULL) STRICT;
CREATE INDEX alert_changes_at ON alert_changes (at);
-- The changes that are still to be reported to a target.
CREATE TABLE deliveries (change INTEGER NOT NULL, target TEXT NOT NULL, tries INTEGER NOT NULL, next INTEGER NOT NULL, PRIMARY KEY (change, target)) STRICT, WITHOUT ROWID;
CREATE INDEX deliveries_next ON deliveries (target, next);
-- The one server that does something.
CREATE TABLE leases (name TEXT PRIMARY KEY, holder TEXT NOT NULL, until INTEGER NOT NULL) STRICT, WITHOUT ROWID;
