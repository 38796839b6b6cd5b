-- +goose Up
-- The rules that hold for hosts.
CREATE TABLE alerts (host text COLLATE "C" NOT NULL, rule text COLLATE "C" NOT NULL, level text NOT NULL, since bigint NOT NULL, PRIMARY KEY (host, rule));
-- The beginnings and ends of alerts. An id is never used twice.
CREATE TABLE alert_changes (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, at bigint NOT NULL, host text COLLATE "C" NOT NULL, rule text NOT NULL, level text NOT NULL, firing bigint NOT NULL);
CREATE INDEX ON alert_changes (at);
-- The changes that are still to be reported to a target.
CREATE TABLE deliveries (change bigint NOT NULL, target text NOT NULL, tries bigint NOT NULL, next bigint NOT NULL, PRIMARY KEY (change, target));
CREATE INDEX ON deliveries (target, next);
-- The one server that does something.
CREATE TABLE leases (name text PRIMARY KEY, holder text NOT NULL, until bigint NOT NULL);
