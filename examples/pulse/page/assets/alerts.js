// The alerts of all machines, and their last changes, below the overview.

import * as format from "./format.js";
import * as levels from "./levels.js";
import * as api from "./api.js";
import { fill } from "./table.js";

const $ = (id) => document.getElementById(id);
const level = { critical: "bad", high: "warn" };

// showAlerts requests the alerts and shows them.
export async function showAlerts() {
  const { total, firing, changes } = await api.alerts();
  const count = `${total || "No"} ${total === 1 ? "alert" : "alerts"}`;
  if ($("alerts-title").textContent !== count) $("alerts-title").textContent = count;
  $("alerts-link").textContent = count;
  $("alerts-link").hidden = total === 0;
  fill("firing", firing, (a) => [machine(a.host), levels.mark(level[a.level]), a.silenced ? `${detail(a)}, silenced` : detail(a), `since ${format.date(Date.parse(a.since) / 1000)}`]);
  fill("changes", changes, (c) => [machine(c.host), c.firing ? levels.mark(level[c.level]) : "over", detail(c), format.date(Date.parse(c.at) / 1000)]);
}

// detail returns the rule of an alert, with the value that broke it.
function detail({ rule, value, unit, part }) {
  const measured = value == null ? "" : unit === "B/s" ? format.rate(value) : unit === "%" ? format.percent(value) : `${format.number(value, 1)}\u00a0${unit}`;
  const what = [part, measured].filter(Boolean).join(": ");
  return what ? `${rule} (${what})` : rule;
}

function machine(name) {
  const link = document.createElement("a");
  link.href = `?${new URLSearchParams({ host: name })}`;
  link.textContent = name;
  return link;
}
