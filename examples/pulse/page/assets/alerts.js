// The alerts of all machines, and their last changes, below the overview.

import * as format from "./format.js";
import * as levels from "./levels.js";
import * as api from "./api.js";
import { fill } from "./table.js";

const $ = (id) => document.getElementById(id);
const level = { critical: "bad", high: "warn" };

// showAlerts requests the alerts and shows them.
export async function showAlerts() {
  const { total, firing, incidents, changes, targets } = await api.alerts();
  const hosts = new Map(incidents.map((i) => [i.incident, i.hosts]));
  const count = `${total || "No"} ${total === 1 ? "alert" : "alerts"}`;
  if ($("alerts-title").textContent !== count) $("alerts-title").textContent = count;
  $("alerts-link").textContent = count;
  $("alerts-link").hidden = total === 0;
  fill("firing", firing, (a) => [machine(a.host), levels.mark(level[a.level]), [detail(a), hosts.get(a.incident) > 1 && `one of ${hosts.get(a.incident)} machines`, a.silenced && "silenced"].filter(Boolean).join(", "), `since ${format.date(Date.parse(a.since) / 1000)}`]);
  showTargets(targets);
  fill("changes", changes, (c) => [machine(c.host), c.firing ? levels.mark(level[c.level]) : "over", detail(c), format.date(Date.parse(c.at) / 1000)]);
}

// showTargets shows the receivers of reports. A receiver fails if its last attempt has failed.
function showTargets(targets) {
  const fails = ({ delivered, failed }) => failed && !(Date.parse(delivered) > Date.parse(failed));
  const failing = targets.filter(fails).length;
  const title = failing ? `Deliveries (${failing} ${failing === 1 ? "receiver fails" : "receivers fail"})` : "Deliveries";
  if ($("targets-title").textContent !== title) $("targets-title").textContent = title;
  $("targets-title").dataset.level = failing ? "warn" : "";
  $("targets-card").hidden = targets.length === 0;
  const last = (time) => (time ? format.date(Date.parse(time) / 1000) : "none");
  fill("targets", targets, (t) => [t.name, fails(t) ? "fails" : t.delivered ? "works" : "not tried", last(t.delivered), t.failures ? `${t.failures}, last ${last(t.failed)}` : "none", String(t.waiting)]);
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
