-- +goose Up
-- +goose StatementBegin
CREATE TABLE admitted (host text COLLATE "C" PRIMARY KEY, owner bigint NOT NULL, at bigint NOT NULL);
CREATE INDEX ON admitted (owner);
LOCK TABLE hosts IN SHARE ROW EXCLUSIVE MODE;
INSERT INTO admitted (host, owner, at) SELECT host, 0, heard FROM hosts;
CREATE FUNCTION host_inserted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
	INSERT INTO admitted (host, owner, at) VALUES (NEW.host, 0, NEW.heard) ON CONFLICT (host) DO NOTHING;
	RETURN NULL;
END $$;
CREATE FUNCTION host_deleted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
	DELETE FROM admitted WHERE host = OLD.host;
	RETURN NULL;
END $$;
CREATE TRIGGER host_inserted AFTER INSERT ON hosts FOR EACH ROW EXECUTE FUNCTION host_inserted();
CREATE TRIGGER host_deleted AFTER DELETE ON hosts FOR EACH ROW EXECUTE FUNCTION host_deleted();
-- +goose StatementEnd
