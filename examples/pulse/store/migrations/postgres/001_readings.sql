-- +goose Up
CREATE TABLE readings (
	host text COLLATE "C" NOT NULL,
	at   bigint NOT NULL,
	cpu double precision,
	cores TEXT,
	load1 double precision,
	load5 double precision,
	load15 double precision,
	memory_used bigint,
	memory_total bigint,
	swap_used bigint,
	swap_total bigint,
	uptime bigint,
	disks TEXT,
	networks TEXT,
	temperatures TEXT,
	has  bigint GENERATED ALWAYS AS ((CASE WHEN cpu IS NOT NULL OR cores IS NOT NULL THEN 1 ELSE 0 END) | (CASE WHEN load1 IS NOT NULL OR load5 IS NOT NULL OR load15 IS NOT NULL THEN 2 ELSE 0 END) | (CASE WHEN memory_used IS NOT NULL OR memory_total IS NOT NULL THEN 4 ELSE 0 END) | (CASE WHEN swap_used IS NOT NULL OR swap_total IS NOT NULL THEN 8 ELSE 0 END) | (CASE WHEN uptime IS NOT NULL THEN 16 ELSE 0 END) | (CASE WHEN disks IS NOT NULL THEN 32 ELSE 0 END) | (CASE WHEN networks IS NOT NULL THEN 64 ELSE 0 END) | (CASE WHEN temperatures IS NOT NULL THEN 128 ELSE 0 END)) STORED,
	UNIQUE (host, at)
) PARTITION BY RANGE (at);
CREATE INDEX ON readings (at, host);
CREATE INDEX ON readings (has, at, host);
CREATE INDEX ON readings (host, has, at);
CREATE TABLE readings_other PARTITION OF readings DEFAULT;
CREATE TABLE minutes (host text COLLATE "C", at bigint, summary bytea NOT NULL, PRIMARY KEY (host, at));
CREATE TABLE hours (host text COLLATE "C", at bigint, summary bytea NOT NULL, PRIMARY KEY (host, at));
CREATE TABLE hosts (
	host    text COLLATE "C" PRIMARY KEY,
	oldest  bigint NOT NULL,
	newest  bigint NOT NULL,
	heard   bigint NOT NULL,
	reading bytea NOT NULL
);
CREATE TABLE health (id integer PRIMARY KEY CHECK (id = 1), at bigint NOT NULL, room bytea);
ALTER TABLE health ALTER room SET STORAGE EXTERNAL;
