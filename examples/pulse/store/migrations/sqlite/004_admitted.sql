-- +goose Up
-- +goose StatementBegin
CREATE TABLE admitted (host TEXT PRIMARY KEY, owner INTEGER NOT NULL, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE INDEX admitted_owner ON admitted (owner);
INSERT INTO admitted (host, owner, at) SELECT host, 0, heard FROM hosts;
CREATE TRIGGER host_inserted AFTER INSERT ON hosts BEGIN
	INSERT INTO admitted (host, owner, at) VALUES (NEW.host, 0, NEW.heard) ON CONFLICT (host) DO NOTHING;
END;
CREATE TRIGGER host_deleted AFTER DELETE ON hosts BEGIN
	DELETE FROM admitted WHERE host = OLD.host;
END;
-- +goose StatementEnd
