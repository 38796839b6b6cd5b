-- +goose Up
-- +goose StatementBegin
CREATE TABLE agents (
	host  text COLLATE "C" NOT NULL,
	agent text NOT NULL,
	every bigint NOT NULL,
	ahead bigint NOT NULL,
	tags  text NOT NULL,
	since bigint NOT NULL,
	seen  bigint NOT NULL,
	PRIMARY KEY (host, agent)
);
CREATE FUNCTION agents_of_host_deleted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
	DELETE FROM agents WHERE host = OLD.host;
	RETURN NULL;
END $$;
CREATE TRIGGER agents_of_host_deleted AFTER DELETE ON hosts FOR EACH ROW EXECUTE FUNCTION agents_of_host_deleted();
-- +goose StatementEnd
