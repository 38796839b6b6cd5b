-- +goose Up
CREATE TABLE tokens (
	name    text COLLATE "C" PRIMARY KEY,
	hash    text NOT NULL UNIQUE,
	may     text NOT NULL,
	hosts   text NOT NULL,
	created bigint NOT NULL,
	owner   bigint NOT NULL
);
