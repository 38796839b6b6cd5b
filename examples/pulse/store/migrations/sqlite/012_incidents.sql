-- +goose Up
-- An incident has the alerts of one rule that began within a minute. due is the time from which its last beginning is
-- reported, newest is the change of that beginning, and ended is 0 while one of the alerts holds.
CREATE TABLE incidents (id TEXT PRIMARY KEY, rule TEXT NOT NULL, level TEXT NOT NULL, began INTEGER NOT NULL, due INTEGER NOT NULL, newest INTEGER NOT NULL, ended INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE INDEX incidents_ended ON incidents (ended);
-- The reports about an incident to a target: the number of reports that were delivered; for the next report, the number
-- of attempts, the time of the next attempt or of the next repeat, the last change that it includes, and its time.
CREATE TABLE reports (incident TEXT NOT NULL, target TEXT NOT NULL, number INTEGER NOT NULL, tries INTEGER NOT NULL, next INTEGER NOT NULL, seen INTEGER NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (incident, target)) STRICT, WITHOUT ROWID;
CREATE INDEX reports_target ON reports (target);
CREATE INDEX alerts_incident ON alerts (incident);
CREATE INDEX alert_changes_incident ON alert_changes (incident);
-- An alert that a silence covers since its beginning has no incident. Each other stored alert is an incident of its own.
UPDATE alerts SET incident = '' WHERE silenced = 1;
UPDATE alerts SET incident = 'old-' || coalesce((SELECT min(c.id) FROM alert_changes c WHERE c.host = alerts.host AND c.rule = alerts.rule), since) WHERE incident = '' AND silenced = 0;
UPDATE alert_changes SET incident = 'old-' || (SELECT min(c.id) FROM alert_changes c WHERE c.host = alert_changes.host AND c.rule = alert_changes.rule)
	WHERE incident = '' AND (id IN (SELECT change FROM deliveries) OR EXISTS (SELECT 1 FROM alerts a WHERE a.host = alert_changes.host AND a.rule = alert_changes.rule AND a.silenced = 0));
INSERT INTO incidents SELECT incident, min(rule), min(level), min(since), 0, 0, 0 FROM alerts WHERE incident <> '' GROUP BY incident;
INSERT INTO incidents SELECT c.incident, min(c.rule), min(c.level), min(c.since), 0, 0, max(c.at) FROM deliveries d JOIN alert_changes c ON c.id = d.change
	WHERE c.incident NOT IN (SELECT id FROM incidents) GROUP BY c.incident;
-- Of the changes of an incident that a target has not got, the first is the next report.
INSERT INTO reports SELECT c.incident, d.target, 1 - c.firing, d.tries, d.next, c.id, c.at FROM deliveries d JOIN alert_changes c ON c.id = d.change
	WHERE d.change = (SELECT min(e.change) FROM deliveries e JOIN alert_changes f ON f.id = e.change WHERE e.target = d.target AND f.incident = c.incident);
DROP TABLE deliveries;
