// The list of all machines, one row each.

import * as format from "./format.js";
import * as levels from "./levels.js";
import { judge, notes } from "./machine.js";
import { remember } from "./frame.js";

const $ = (id) => document.getElementById(id);
const body = $("hosts").tBodies[0];
const address = new URL(location).searchParams;
let sort = address.get("sort") ?? "state"; // a column; state puts machines with problems first
let down = address.get("order") === "down"; // the highest values first
let shown = [];

// The tools above the table. Their state is in the address.
const first = $("problems-first");
const search = $("search");
const dense = $("dense");
search.value = address.get("q") ?? "";
dense.checked = address.has("dense");
first.addEventListener("change", () => sortBy(first.checked ? "state" : "host", false));
search.addEventListener("input", () => {
  remember("q", search.value);
  arrange();
});
dense.addEventListener("change", () => {
  remember("dense", dense.checked ? "1" : "");
  arrange();
});
addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.target instanceof HTMLInputElement || document.body.dataset.view !== "overview") return;
  event.preventDefault();
  search.focus();
});
for (const button of $("hosts").querySelectorAll("[data-sort]")) {
  button.addEventListener("click", () => {
    const column = button.dataset.sort;
    sortBy(column, sort === column ? !down : !["host", "state"].includes(column));
  });
}

function sortBy(column, highest) {
  [sort, down] = [column, highest];
  remember("sort", sort === "state" ? "" : sort);
  remember("order", down ? "down" : "");
  arrange();
}

const rows = new Map(); // by the machine's name

// showOverview returns the number of problems in words.
export function showOverview(hosts) {
  shown = hosts.map((host) => ({ ...host, ...judge(host) }));
  for (const host of shown) {
    if (!rows.has(host.host)) rows.set(host.host, new Row(host.host));
    rows.get(host.host).show(host);
  }
  arrange();
  const count = (level) => shown.filter((h) => h.level === level).length;
  const parts = [["silent", "silent"], ["bad", "critical"], ["warn", "high"]].filter(([level]) => count(level)).map(([level, word]) => `${count(level)} ${word}`);
  const text = `${shown.length} ${shown.length === 1 ? "machine" : "machines"}${parts.length ? `: ${parts.join(", ")}` : ", all well"}`;
  if ($("summary").textContent !== text) $("summary").textContent = text;
  return parts.join(", ");
}

const rank = { silent: 0, bad: 1, warn: 2, "": 3 };
const columns = { state: (h) => rank[h.level], seen: (h) => h.age };

// order compares two machines by the selected column. Machines without a value are last.
function order(a, b) {
  const value = columns[sort] ?? ((h) => h[sort]);
  const [x, y] = [value(a), value(b)];
  if (x === y || sort === "host") return 0; // the server sorts by name
  if (x == null || y == null) return x == null ? 1 : -1;
  return down ? y - x : x - y;
}

// arrange sorts and filters the rows. It does not move a row that is in its place, since the row may
// have the focus.
function arrange() {
  first.checked = sort === "state" && !down;
  $("hosts").toggleAttribute("data-dense", dense.checked);
  document.body.toggleAttribute("data-dense", dense.checked && document.body.dataset.view === "overview");
  for (const button of $("hosts").querySelectorAll("[data-sort]")) {
    const selected = button.dataset.sort === sort;
    if (selected) button.parentElement.ariaSort = down ? "descending" : "ascending";
    else button.parentElement.removeAttribute("aria-sort");
  }
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  const list = [...shown].sort(order);
  if (sort === "host" && down) list.reverse();
  list.forEach((host, i) => {
    const { row } = rows.get(host.host);
    const text = [host.host, ...(host.tags ?? [])].join(" ").toLowerCase();
    row.hidden = !words.every((word) => text.includes(word));
    if (body.rows[i] !== row) body.insertBefore(row, body.rows[i] ?? null);
  });
}

// The roles are the default roles of the elements. They are set since narrow screens do not
// display the elements as a table.
class Row {
  constructor(name) {
    this.row = document.createElement("tr");
    this.row.setAttribute("role", "row");
    const link = document.createElement("a");
    link.href = `?${new URLSearchParams({ host: name })}`;
    link.textContent = name;
    this.cells = {};
    for (const column of ["host", "state", "cpu", "memory", "disk", "load", "network", "temperature", "spark", "seen"]) {
      const cell = document.createElement(column === "host" ? "th" : "td");
      if (column === "host") cell.scope = "row";
      cell.setAttribute("role", column === "host" ? "rowheader" : "cell");
      cell.className = column;
      cell.dataset.name = { cpu: "CPU", memory: "Memory", disk: "Disk", load: "Load", network: "Network", temperature: "Hottest", spark: "CPU, last hour" }[column] ?? "";
      this.cells[column] = cell;
      this.row.append(cell);
    }
    this.notes = document.createElement("small");
    this.cells.host.append(link, this.notes);
  }

  show(host) {
    const about = [...notes(host), ...(host.tags ?? [])].join(" · ");
    if (this.notes.textContent !== about) this.notes.textContent = about;
    this.row.dataset.level = host.level;
    this.number("cpu", format.percent(host.cpu), host.levels.cpu);
    this.number("memory", format.percent(host.memory), host.levels.memory);
    this.number("disk", format.percent(host.disk), host.levels.disk);
    this.number("load", format.number(host.load), host.levels.load);
    this.row.title = (host.rules ?? []).join("\n");
    this.number("network", format.rate(host.network), host.levels.received ?? host.levels.sent);
    this.number("temperature", format.celsius(host.temperature), host.levels.temperature);
    if (this.level !== host.level) this.cells.state.replaceChildren(levels.mark(host.level));
    this.level = host.level;
    this.cells.seen.textContent = host.level === "silent" ? format.date(host.heard / 1000) : format.ago(host.age);
    const text = JSON.stringify(host.spark);
    if (this.spark !== text) this.cells.spark.replaceChildren(spark(host.spark ?? []));
    this.spark = text;
  }

  number(column, text, level = "") {
    const cell = this.cells[column];
    if (cell.dataset.text === text && cell.dataset.level === level) return;
    cell.dataset.text = text;
    cell.dataset.level = level;
    cell.replaceChildren(text);
    if (level) cell.prepend(levels.mark(level));
  }
}

const svg = "http://www.w3.org/2000/svg";

// spark draws values from 0 to 100. A value between two gaps is drawn as a dot.
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
