// What the charts show: one machine's readings as columns, the form that uPlot
// draws.

// Each chart names its lines. value() takes a reading and gives null for what
// the machine lacks.
const external = (reading) => (reading.networks ?? []).filter((n) => !/^lo\d*$/.test(n.name));

// sum adds what is there, and is null if nothing is.
function sum(list, field) {
  let total = null;
  for (const item of list ?? []) if (item[field] != null) total = (total ?? 0) + item[field];
  return total;
}

// Several mounts can be on one device: its transfers count once.
const devices = (reading) => [...new Map((reading.disks ?? []).map((d) => [d.device, d])).values()];

export const charts = [
  {
    id: "cpu", title: "CPU", unit: "percent",
    lines: [{ name: "All cores", color: "cpu", fill: true, value: (r) => r.cpu }],
    // One thin line a core, as many as the machine has.
    more: (reading) => (reading.cores ?? []).map((_, i) => ({ name: `Core ${i}`, color: "core", thin: true, value: (r) => r.cores?.[i] })),
  },
  {
    id: "memory", title: "Memory", unit: "bytes",
    lines: [
      { name: "Used", color: "memory", fill: true, value: (r) => r.memory_used },
      { name: "Swap", color: "swap", value: (r) => r.swap_used, optional: true },
    ],
    max: (reading) => reading.memory_total,
  },
  {
    id: "network", title: "Network", unit: "rate",
    lines: [
      { name: "Received", color: "in", fill: true, value: (r) => sum(external(r), "received") },
      { name: "Sent", color: "out", value: (r) => sum(external(r), "sent") },
    ],
  },
  {
    id: "disk", title: "Disk", unit: "rate",
    lines: [
      { name: "Read", color: "in", fill: true, value: (r) => sum(devices(r), "read") },
      { name: "Written", color: "out", value: (r) => sum(devices(r), "write") },
    ],
  },
];

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
    const columns = [[], ...lines.map(() => [])];
    const usual = this.interval();
    let before;
    for (const reading of this.list) {
      if (before && reading.t - before > 3 * usual) {
        columns[0].push((reading.t + before) / 2);
        for (const column of columns.slice(1)) column.push(null);
      }
      columns[0].push(reading.t);
      lines.forEach((line, i) => columns[i + 1].push(line.value(reading) ?? null));
      before = reading.t;
    }
    return columns;
  }

  // interval is the usual time between two readings, in seconds.
  interval() {
    const recent = this.list.slice(-20);
    const gaps = recent.slice(1).map((r, i) => r.t - recent[i].t).sort((a, b) => a - b);
    return gaps.length ? gaps[gaps.length >> 1] : 1;
  }
}
