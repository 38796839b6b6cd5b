// The list of all machines, one row each.

import * as api from "./api.js";
import * as format from "./format.js";
import * as levels from "./levels.js";
import { remember, title } from "./frame.js";

const $ = (id) => document.getElementById(id);
const silence = 10; // seconds without a reading; more for a machine that is known to report rarely

const first = $("problems-first");
first.checked = new URL(location).searchParams.get("sort") === "problems";
let shown = [];
first.addEventListener("change", () => {
  remember("sort", first.checked ? "problems" : "");
  arrange(shown);
});

const rows = new Map(); // by the machine's name

export function showOverview(hosts) {
  shown = hosts.map((host) => ({ ...host, ...judge(host) }));
  for (const host of shown) {
    if (!rows.has(host.host)) rows.set(host.host, new Row(host.host));
    rows.get(host.host).show(host);
  }
  arrange(shown);
  const count = (level) => shown.filter((h) => h.level === level).length;
  const parts = [["bad", "critical"], ["warn", "high"], ["silent", "silent"]].filter(([level]) => count(level)).map(([level, word]) => `${count(level)} ${word}`);
  const text = `${shown.length} ${shown.length === 1 ? "machine" : "machines"}${parts.length ? `: ${parts.join(", ")}` : ", all well"}`;
  if ($("summary").textContent !== text) $("summary").textContent = text;
  title(parts.join(", "));
}

// judge says how a machine is doing.
function judge(host) {
  const heard = Date.parse(host.heard ?? host.last);
  const age = Math.max(0, (api.serverNow() - heard) / 1000);
  const row = rows.get(host.host);
  const gap = row?.gap ?? 0;
  const marks = {
    cpu: levels.ofPercent(host.cpu), memory: levels.ofPercent(host.memory), disk: levels.ofPercent(host.disk), load: levels.ofLoad(host.load, host.cores),
  };
  const level = age > Math.max(silence, 3 * gap) ? "silent" : levels.worst(Object.values(marks));
  return { heard, age, marks, level };
}

// arrange puts the rows in the order of names, or those with problems first. A row that is
// in its place is not touched: it may have the focus.
function arrange(hosts) {
  const rank = { bad: 0, warn: 1, silent: 2, "": 3 };
  const order = first.checked ? [...hosts].sort((a, b) => rank[a.level] - rank[b.level]) : hosts;
  const body = $("hosts").tBodies[0];
  order.forEach(({ host }, i) => {
    const row = rows.get(host).row;
    if (body.rows[i] !== row) body.insertBefore(row, body.rows[i] ?? null);
  });
}

// The roles are those that the elements have by themselves, until a narrow screen shows
// them as something else than a table.
class Row {
  gap = 0; // the longest time between two readings that this page has seen

  constructor(name) {
    this.row = document.createElement("tr");
    this.row.setAttribute("role", "row");
    const link = document.createElement("a");
    link.href = `?${new URLSearchParams({ host: name })}`;
    link.textContent = name;
    this.cells = {};
    for (const column of ["host", "state", "cpu", "memory", "disk", "load", "spark", "seen"]) {
      const cell = document.createElement(column === "host" ? "th" : "td");
      if (column === "host") cell.scope = "row";
      cell.setAttribute("role", column === "host" ? "rowheader" : "cell");
      cell.className = column;
      cell.dataset.name = { cpu: "CPU", memory: "Memory", disk: "Disk", load: "Load", spark: "CPU, last hour" }[column] ?? "";
      this.cells[column] = cell;
      this.row.append(cell);
    }
    this.cells.host.append(link);
  }

  show(host) {
    if (this.heard && host.heard > this.heard && this.age < silence) this.gap = Math.max(this.gap, Math.min(600, (host.heard - this.heard) / 1000));
    this.heard = host.heard;
    this.age = host.age;
    this.row.dataset.level = host.level;
    this.number("cpu", format.percent(host.cpu), host.marks.cpu);
    this.number("memory", format.percent(host.memory), host.marks.memory);
    this.number("disk", format.percent(host.disk), host.marks.disk);
    this.number("load", format.number(host.load), host.marks.load);
    if (this.level !== host.level) this.cells.state.replaceChildren(levels.mark(host.level));
    this.level = host.level;
    this.cells.seen.textContent = host.level === "silent" ? format.date(host.heard / 1000) : format.ago(host.age);
    const text = JSON.stringify(host.spark);
    if (this.spark !== text) this.cells.spark.replaceChildren(spark(host.spark ?? []));
    this.spark = text;
  }

  number(column, text, level) {
    const cell = this.cells[column];
    if (cell.dataset.text === text && cell.dataset.level === level) return;
    cell.dataset.text = text;
    cell.dataset.level = level;
    cell.replaceChildren(text);
    if (level) cell.prepend(levels.mark(level));
  }
}

const svg = "http://www.w3.org/2000/svg";

// spark draws values from 0 to 100. A value between two gaps is a dot.
function spark(values) {
  const picture = document.createElementNS(svg, "svg");
  picture.setAttribute("viewBox", `0 0 ${Math.max(1, values.length - 1)} 100`);
  picture.setAttribute("preserveAspectRatio", "none");
  picture.setAttribute("role", "img");
  const known = values.filter((v) => v != null);
  picture.setAttribute("aria-label", known.length ? `between ${format.percent(Math.min(...known))} and ${format.percent(Math.max(...known))}` : "nothing known");
  const line = document.createElementNS(svg, "path");
  let path = "";
  values.forEach((v, x) => {
    if (v == null) return;
    const y = (100 - Math.min(100, Math.max(0, v))).toFixed(1);
    path += values[x - 1] == null ? `M${x} ${y}h0` : `L${x} ${y}`;
  });
  line.setAttribute("d", path);
  picture.append(line);
  return picture;
}
