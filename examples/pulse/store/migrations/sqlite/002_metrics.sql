-- +goose Up
ALTER TABLE readings ADD COLUMN has INTEGER AS ((CASE WHEN cpu IS NOT NULL OR cores IS NOT NULL THEN 1 ELSE 0 END) | (CASE WHEN load1 IS NOT NULL OR load5 IS NOT NULL OR load15 IS NOT NULL THEN 2 ELSE 0 END) | (CASE WHEN memory_used IS NOT NULL OR memory_total IS NOT NULL THEN 4 ELSE 0 END) | (CASE WHEN swap_used IS NOT NULL OR swap_total IS NOT NULL THEN 8 ELSE 0 END) | (CASE WHEN uptime IS NOT NULL THEN 16 ELSE 0 END) | (CASE WHEN disks IS NOT NULL THEN 32 ELSE 0 END) | (CASE WHEN networks IS NOT NULL THEN 64 ELSE 0 END) | (CASE WHEN temperatures IS NOT NULL THEN 128 ELSE 0 END)) VIRTUAL;
CREATE INDEX readings_has_at ON readings (has, at, host);
CREATE INDEX readings_host_has_at ON readings (host, has, at);
-- One row, which is written and read to know that both can be done.
CREATE TABLE health (id INTEGER PRIMARY KEY CHECK (id = 1), at INTEGER NOT NULL, room BLOB) STRICT;
