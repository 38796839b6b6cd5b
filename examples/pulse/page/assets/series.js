// The data of the charts: one machine's readings as columns, the form that uPlot
// draws.

import { share } from "./format.js";

// Each chart names its lines. value() takes a reading and gives null for a value that
// the machine lacks; series is the server's name for the line over long times.
const external = (reading) => (reading.networks ?? []).filter((n) => !/^lo\d*$/.test(n.name));

// sum adds the values that are there, and is null if none is.
function sum(list, field) {
  let total = null;
  for (const item of list ?? []) if (item[field] != null) total = (total ?? 0) + item[field];
  return total;
}

const most = (list) => list.reduce((a, b) => (b != null && (a == null || b > a) ? b : a), null);

// fullest is how many percent of the fullest disk are used.
export const fullest = (reading) => most((reading.disks ?? []).map((d) => share(d.used, d.total)));

// Several mounts can be on one device: its transfers count once.
const devices = (reading) => [...new Map((reading.disks ?? []).map((d) => [d.device, d])).values()];

export const charts = [
  {
    id: "cpu", title: "CPU", unit: "percent",
    lines: [{ name: "All cores", series: "cpu", color: "cpu", fill: true, value: (r) => r.cpu }],
    // One thin line a core, as many as the machine has.
    more: (reading) => (reading.cores ?? []).map((_, i) => ({ name: `Core ${i}`, color: "core", thin: true, value: (r) => r.cores?.[i] })),
  },
  {
    id: "load", title: "Load", unit: "number",
    lines: [
      { name: "1 min", series: "load", color: "load", fill: true, value: (r) => r.load1 },
      { name: "15 min", color: "muted", value: (r) => r.load15 },
    ],
  },
  {
    id: "memory", title: "Memory", unit: "bytes",
    lines: [
      { name: "Used", series: "memory", color: "memory", fill: true, value: (r) => r.memory_used },
      { name: "Swap", series: "swap", color: "swap", value: (r) => r.swap_used, optional: true },
    ],
    max: (reading) => reading.memory_total,
  },
  {
    id: "space", title: "Fullest disk", unit: "percent",
    lines: [{ name: "Used", series: "disk", color: "cpu", fill: true, value: fullest }],
  },
  {
    id: "network", title: "Network", unit: "rate",
    lines: [
      { name: "Received", series: "received", color: "in", fill: true, value: (r) => sum(external(r), "received") },
      { name: "Sent", series: "sent", color: "out", value: (r) => sum(external(r), "sent") },
    ],
  },
  {
    id: "disk", title: "Disk transfers", unit: "rate",
    lines: [
      { name: "Read", series: "read", color: "in", fill: true, value: (r) => sum(devices(r), "read") },
      { name: "Written", series: "written", color: "out", value: (r) => sum(devices(r), "write") },
    ],
  },
];

const stepped = 5; // seconds: less is disorder, more is a clock that was set back

// Readings keeps those of the window, in order, each once.
export class Readings {
  list = [];

  get last() {
    return this.list.at(-1);
  }

  // add takes a reading if it is newer than all others, and tells whether it was.
  add(reading) {
    const t = Date.parse(reading.at) / 1000;
    if (this.last && t <= this.last.t) return false;
    reading.t = t;
    this.list.push(reading);
    return true;
  }

  // arrive takes a reading that has just been measured. If the machine's clock stepped back
  // it begins anew, and returns by how many seconds.
  arrive(reading) {
    const t = Date.parse(reading.at) / 1000;
    const back = (this.last?.t ?? t) - t;
    if (back <= stepped || this.list.some((r) => r.t === t)) {
      this.add(reading);
      return 0;
    }
    this.list = [];
    this.add(reading);
    return back;
  }

  // trim forgets what has left the window.
  trim(seconds) {
    const from = (this.last?.t ?? 0) - seconds - 5; // so that a line leaves the chart at its edge, not before
    let n = 0;
    while (n < this.list.length && this.list[n].t < from) n++;
    this.list.splice(0, n);
  }

  // columns returns [times, values of line 0, values of line 1, …]. Where
  // readings are missing it puts a null, at which the line is interrupted.
  columns(lines) {
    return withGaps(this.list.map((r) => r.t), lines.map((line) => this.list.map((r) => line.value(r) ?? null)), 3 * this.interval());
  }

  // interval is the usual time between two readings, in seconds.
  interval() {
    const recent = this.list.slice(-20);
    const gaps = recent.slice(1).map((r, i) => r.t - recent[i].t).sort((a, b) => a - b);
    return gaps.length ? gaps[gaps.length >> 1] : 1;
  }
}

// seriesColumns returns the columns of an answer of the server: times, the means of the
// lines, then the highest and the lowest of each.
export function seriesColumns(series, lines) {
  const of = (line, kind) => series.lines.find((l) => l.name === line.series)?.[kind] ?? series.at.map(() => null);
  const times = series.at.map((t) => (t + series.step / 2) / 1000);
  const columns = [...lines.map((l) => of(l, "mean")), ...lines.flatMap((l) => [of(l, "max"), of(l, "min")])];
  return withGaps(times, columns, (1.5 * series.step) / 1000);
}

// withGaps puts a null between two times that are further apart than that.
function withGaps(times, columns, most) {
  const out = [[], ...columns.map(() => [])];
  times.forEach((t, i) => {
    if (i > 0 && t - times[i - 1] > most) {
      out[0].push((t + times[i - 1]) / 2);
      for (const column of out.slice(1)) column.push(null);
    }
    out[0].push(t);
    columns.forEach((column, k) => out[k + 1].push(column[i]));
  });
  return out;
}
