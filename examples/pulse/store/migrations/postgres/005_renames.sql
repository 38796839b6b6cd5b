-- +goose Up
-- Readings of an old name are stored under the new one.
CREATE TABLE renames (old text COLLATE "C" PRIMARY KEY, new text COLLATE "C" NOT NULL);
-- Who has renamed or removed hosts.
CREATE TABLE changes (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, at bigint NOT NULL, who text NOT NULL, change text NOT NULL);
