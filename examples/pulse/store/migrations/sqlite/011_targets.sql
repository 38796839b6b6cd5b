-- +goose Up
-- The deliveries to the targets of alerts: the time of the last delivery, the time of the last failed attempt, and the
-- number of failed attempts. A time is 0 if there was none.
CREATE TABLE targets (name TEXT PRIMARY KEY, delivered INTEGER NOT NULL, failed INTEGER NOT NULL, failures INTEGER NOT NULL) STRICT, WITHOUT ROWID;
