-- +goose Up
-- The id of an incident is the same at its beginning and its end, also if the host gets another name. The
-- value, its unit and the disk, interface or sensor were measured at the time of the change.
ALTER TABLE alerts ADD COLUMN incident text NOT NULL DEFAULT '', ADD COLUMN value double precision, ADD COLUMN unit text NOT NULL DEFAULT '', ADD COLUMN part text NOT NULL DEFAULT '';
ALTER TABLE alert_changes ADD COLUMN incident text NOT NULL DEFAULT '', ADD COLUMN since bigint NOT NULL DEFAULT 0, ADD COLUMN value double precision, ADD COLUMN unit text NOT NULL DEFAULT '', ADD COLUMN part text NOT NULL DEFAULT '';
UPDATE alert_changes SET since = at;
