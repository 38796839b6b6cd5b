-- +goose Up
-- The deliveries to the targets of alerts: the time of the last delivery, the time of the last failed attempt, and the
-- number of failed attempts. A time is 0 if there was none.
CREATE TABLE targets (name text PRIMARY KEY, delivered bigint NOT NULL, failed bigint NOT NULL, failures bigint NOT NULL);
