-- +goose Up
-- +goose StatementBegin
CREATE TABLE agents (
	host  TEXT NOT NULL,
	agent TEXT NOT NULL,    -- the id of the running program
	every INTEGER NOT NULL, -- milliseconds between two posts
	ahead INTEGER NOT NULL, -- milliseconds of its clock before the server's
	tags  TEXT NOT NULL,    -- a list in JSON
	since INTEGER NOT NULL,
	seen  INTEGER NOT NULL,
	PRIMARY KEY (host, agent)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER agents_of_host_deleted AFTER DELETE ON hosts BEGIN
	DELETE FROM agents WHERE host = OLD.host;
END;
-- +goose StatementEnd
