-- +goose Up
-- The id of an incident is the same at its beginning and its end, also if the host gets another name. The
-- value, its unit and the disk, interface or sensor were measured at the time of the change.
ALTER TABLE alerts ADD COLUMN incident TEXT NOT NULL DEFAULT '';
ALTER TABLE alerts ADD COLUMN value REAL;
ALTER TABLE alerts ADD COLUMN unit TEXT NOT NULL DEFAULT '';
ALTER TABLE alerts ADD COLUMN part TEXT NOT NULL DEFAULT '';
ALTER TABLE alert_changes ADD COLUMN incident TEXT NOT NULL DEFAULT '';
ALTER TABLE alert_changes ADD COLUMN since INTEGER NOT NULL DEFAULT 0;
ALTER TABLE alert_changes ADD COLUMN value REAL;
ALTER TABLE alert_changes ADD COLUMN unit TEXT NOT NULL DEFAULT '';
ALTER TABLE alert_changes ADD COLUMN part TEXT NOT NULL DEFAULT '';
UPDATE alert_changes SET since = at;
