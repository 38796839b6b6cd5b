-- +goose Up
-- While a silence lasts, the alerts that it covers are not reported.
CREATE TABLE silences (id text PRIMARY KEY, hosts text NOT NULL, tag text NOT NULL, rule text NOT NULL, until bigint NOT NULL, reason text NOT NULL, who text NOT NULL, created bigint NOT NULL);
ALTER TABLE alerts ADD COLUMN silenced bigint NOT NULL DEFAULT 0;
ALTER TABLE alert_changes ADD COLUMN silenced bigint NOT NULL DEFAULT 0;
