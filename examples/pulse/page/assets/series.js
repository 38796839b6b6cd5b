// The data of the charts: the readings of a machine as columns, which is the format of uPlot.

import { share } from "./format.js";

// The charts and their lines. value() returns the value of a reading, or null if the machine does
// not measure it. series is the server's name of the line in responses about long times.
const external = (reading) => (reading.networks ?? []).filter((n) => !n.apart && (n.kind || !/^lo\d*$/.test(n.name)));

// sum adds the values that are not null, and returns null if there are none.
function sum(list, field) {
  let total = null;
  for (const item of list ?? []) if (item[field] != null) total = (total ?? 0) + item[field];
  return total;
}

const most = (list) => list.reduce((a, b) => (b != null && (a == null || b > a) ? b : a), null);

// usable returns the bytes of a disk that users can use. A reserve for root does not count, as in df.
// An older agent does not send the available bytes.
export const usable = (disk) => (disk.available == null ? disk.total : (disk.used ?? 0) + disk.available);

// usedShare returns the used share of a disk in percent.
export const usedShare = (disk) => share(disk.used, usable(disk));

// fullest returns the used space of the fullest disk in percent.
export const fullest = (reading) => most((reading.disks ?? []).map(usedShare));

// Several mounts can be on one device, whose transfers count only once.
const devices = (reading) => [...new Map((reading.disks ?? []).map((d) => [d.device, d])).values()];

export const charts = [
  {
    id: "cpu", title: "CPU", unit: "percent",
    lines: [{ name: "All cores", series: "cpu", color: "cpu", fill: true, value: (r) => r.cpu }],
    // One thin line for each core of the machine.
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
    maxSeries: "memory_total",
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

// A reading that is older than the last one by at most this many seconds is out of order. If it is older by more,
// the clock was set back.
const stepped = 5;

// Readings has the readings of the window, in order and without duplicates.
export class Readings {
  list = [];

  get last() {
    return this.list.at(-1);
  }

  // add adds a reading if it is newer than all others, and returns whether it has added it.
  add(reading) {
    const t = Date.parse(reading.at) / 1000;
    if (this.last && t <= this.last.t) return false;
    reading.t = t;
    this.list.push(reading);
    return true;
  }

  // arrive adds a reading that was just measured. If the machine's clock was set back, it drops the
  // old readings and returns the number of seconds by which it was set back; otherwise it returns 0.
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

  // trim removes the readings that are more than some seconds older than the last one.
  trim(seconds) {
    const from = (this.last?.t ?? 0) - seconds - 5; // so that a line ends at the edge of the chart, not before
    let n = 0;
    while (n < this.list.length && this.list[n].t < from) n++;
    this.list.splice(0, n);
  }

  // columns returns [times, values of line 0, values of line 1, …]. Missing readings are null, which
  // interrupts the line.
  columns(lines) {
    return withGaps(this.list.map((r) => r.t), lines.map((line) => this.list.map((r) => line.value(r) ?? null)), 3 * this.interval());
  }

  // interval returns the median time between two of the last readings, in seconds; 1 if it is not
  // known.
  interval() {
    const recent = this.list.slice(-20);
    const gaps = recent.slice(1).map((r, i) => r.t - recent[i].t).sort((a, b) => a - b);
    return gaps.length ? gaps[gaps.length >> 1] : 1;
  }
}

// seriesColumns returns the columns of a response: the times, the means of the lines, and then the
// highest and the lowest values of each line.
export function seriesColumns(series, lines) {
  const of = (line, kind) => series.lines.find((l) => l.name === line.series)?.[kind] ?? series.at.map(() => null);
  const times = series.at.map((t) => (t + series.step / 2) / 1000);
  const columns = [...lines.map((l) => of(l, "mean")), ...lines.flatMap((l) => [of(l, "max"), of(l, "min")])];
  return withGaps(times, columns, (1.5 * series.step) / 1000);
}

// withGaps inserts a null into each column between two times whose distance is greater than most.
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
