// The state of a machine, as the overview and the page of the machine show it.

import { serverNow } from "./connection.js";
import * as format from "./format.js";
import * as levels from "./levels.js";

const wrongClock = 10; // seconds
const future = 60000; // milliseconds: the maximum difference between the clocks of servers

// age returns the seconds since the server received a reading, by the clock of the server.
export const age = (heard) => Math.max(0, (serverNow() - heard) / 1000);

// isSilent reports whether a machine has missed several reports. The server says after how many
// seconds, since machines report in different intervals. If the last report is from the future, the
// server's clock was ahead when it arrived. The machine then counts as silent until its next report.
export const isSilent = (heard, row) => age(heard) > row.silent_after || isFuture(heard);

// isFuture reports whether a time is later than serverNow by more than the clocks of servers may
// differ.
export const isFuture = (heard) => heard - serverNow() > future;

// judge returns the level of a machine. The server judges its values, since a threshold has a
// duration: row.levels has the levels of the metrics that are too high.
export function judge(row) {
  const heard = Date.parse(row.heard);
  return { heard, age: age(heard), level: isSilent(heard, row) ? "silent" : levels.worst(Object.values(row.levels)) };
}

// notes returns sentences about a machine that its values do not show.
export function notes(row) {
  const list = [];
  if (Math.abs(row.ahead) >= wrongClock) list.push(`its clock is ${format.duration(Math.abs(row.ahead))} ${row.ahead > 0 ? "ahead" : "behind"}`);
  if (row.agents > 1) list.push(`${row.agents} agents report under this name`);
  return list;
}
