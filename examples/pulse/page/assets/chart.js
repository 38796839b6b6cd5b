// One card with a chart: title, legend with the current values, canvas.

import * as format from "./format.js";
import { seriesColumns } from "./series.js";

const write = { percent: format.percent, number: format.number, bytes: (n) => format.bytes(n), rate: format.rate };

// The steps of the axis: round numbers in the unit next to them.
const binary = [];
for (let power = 1; power <= 2 ** 60; power *= 1024) for (const n of [1, 2, 4, 8, 16, 32, 64, 128, 256, 512]) binary.push(n * power);
const decimal = [];
for (let power = 0.01; power < 1e7; power *= 10) for (const n of [1, 2, 5]) decimal.push(n * power);
const steps = { percent: [25, 50], number: decimal, bytes: binary, rate: binary };
const day = 86400;
const times = [30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, ...[1, 2, 3, 5, 7, 10, 15, 30, 60, 90].map((n) => n * day)];

// timeLabel formats a time for the time axis. The format depends on the distance between labels.
function timeLabel(t, apart) {
  if (apart >= 30 * day) return format.month(t);
  if (apart >= day) return format.day(t);
  if (t % 60) return "";
  const at = new Date(t * 1000);
  return at.getHours() || at.getMinutes() ? format.time(t) : format.day(t);
}

// The colours are read from the style sheet, so that both themes are defined in one place.
const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
const shade = (name) => `${color(name)}26`;

const synchronized = uPlot.sync("charts");

// lonely returns the indexes of values between two gaps, where no line is drawn.
function lonely(column) {
  const at = [];
  column.forEach((v, i) => v != null && column[i - 1] == null && column[i + 1] == null && at.push(i));
  return at;
}

const highest = (column) => column.reduce((a, b) => (b != null && (a == null || b > a) ? b : a), null);

// words returns the name of a span.
const words = ({ from, to, minutes }) => (minutes ? `last ${format.span(minutes)}` : `${format.date(from)} to ${format.date(to)}`);

const listed = 600; // the maximum number of rows of a table
const listEvery = 5000; // milliseconds between two updates of the table of live values

export class Chart {
  // zoom is called with the two times that were selected by dragging.
  constructor(definition, parent, zoom) {
    this.definition = definition;
    this.zoom = zoom;
    this.card = document.createElement("section");
    this.card.className = "card chart";
    this.card.innerHTML = `<h2></h2><ul class="legend"></ul><div class="plot" role="img" tabindex="0"></div>
      <details><summary>Table</summary><div class="scroll" role="region" tabindex="0"><table><thead></thead><tbody></tbody></table></div></details>`;
    this.card.querySelector("h2").textContent = definition.title;
    this.legend = this.card.querySelector(".legend");
    this.plot = this.card.querySelector(".plot");
    this.plot.id = `chart-${definition.id}`;
    this.details = this.card.querySelector("details");
    this.details.addEventListener("toggle", () => this.list());
    this.details.querySelector("summary").setAttribute("aria-label", `Table of ${definition.title}`);
    this.details.querySelector(".scroll").setAttribute("aria-label", `Values of ${definition.title}`);
    parent.append(this.card);
    new ResizeObserver(() => this.resize()).observe(this.plot);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.rebuild());
  }

  // showReadings draws the readings of a span.
  showReadings(readings, span) {
    const { definition } = this;
    const last = readings.last;
    const lines = definition.lines.filter((line) => !line.optional || line.value(last) != null);
    lines.unshift(...(definition.more?.(last) ?? [])); // thin lines are below the others
    const totals = readings.list.map((r) => this.definition.max?.(r) ?? 0);
    this.show(lines, readings.columns(lines), false, highest(totals) ?? 0, span);
  }

  // showSeries draws means, each in a band from the lowest to the highest value. The legend shows
  // the newest reading, even if it is above the scale.
  showSeries(series, last, span) {
    const lines = this.definition.lines.filter((line) => line.series && series.lines.some((l) => l.name === line.series && (!line.optional || l.mean.some((v) => v != null))));
    const totals = series.lines.find((l) => l.name === this.definition.maxSeries)?.max ?? [];
    this.show(lines, seriesColumns(series, lines), true, highest(totals) ?? this.definition.max?.(last) ?? 0, span);
  }

  // show draws lines. The scale reaches at least to top, unless top is 0.
  show(lines, data, banded, top, span) {
    const same = this.chart && this.banded === banded && this.lines.map((l) => l.name).join() === lines.map((l) => l.name).join();
    Object.assign(this, { lines, data, banded, span, top });
    // Values that the machine does not measure have no chart.
    this.card.hidden = this.data.slice(1).every((column) => column.every((v) => v == null));
    if (same) this.chart.setData(this.data);
    else this.rebuild();
    this.describe();
    if (this.details.open && (banded || performance.now() - this.listed > listEvery)) this.list();
  }

  clear() {
    this.card.hidden = false;
    this.chart?.destroy();
    this.chart = undefined;
    this.data = undefined;
    this.legend.replaceChildren();
    this.plot.setAttribute("aria-label", `${this.definition.title}: no readings yet`);
  }

  rebuild() {
    if (!this.data) return;
    this.chart?.destroy();
    this.values = [];
    this.time = document.createElement("li"); // the time at the pointer
    this.legend.replaceChildren(this.time);
    this.lines.forEach((line, i) => {
      if (line.thin && i > 0) return; // one entry for all of them
      const item = document.createElement("li");
      item.innerHTML = `<i></i><span></span> <b></b>`;
      item.firstChild.dataset.color = line.color;
      item.querySelector("span").textContent = line.thin ? "Each core" : line.name;
      if (!line.thin) this.values[i] = item.querySelector("b");
      this.legend.append(item);
    });
    this.chart = new uPlot(this.options(), this.data, this.plot);
  }

  options() {
    const { unit } = this.definition;
    const font = `12px ${getComputedStyle(document.body).fontFamily}`;
    const axis = {
      stroke: color("muted"), font, ticks: { show: false },
      grid: { stroke: color("grid"), width: 1 },
    };
    const points = (name) => ({ show: true, size: 6, width: 0, fill: color(name), filter: (u, i) => lonely(u.data[i]) });
    const n = this.lines.length;
    return {
      ...this.size(),
      legend: { show: false },
      padding: [10, 18, 0, 0], // half a time label on the right
      cursor: { sync: { key: synchronized.key }, drag: { x: true, y: false, setScale: false, dist: 8 }, y: false, points: { size: 7 } },
      scales: {
        x: { range: () => [this.span.from, this.span.to] },
        y: { range: (_, low, high) => [0, this.ceiling(high)] },
      },
      axes: [
        { ...axis, size: 26, space: 64, incrs: times, values: (_, splits, i, space, apart) => splits.map((t) => timeLabel(t, apart)) },
        { ...axis, size: 72, gap: 8, space: 30, incrs: steps[unit], values: (_, splits) => splits.map((v) => (unit === "number" ? String(+v.toFixed(2)) : write[unit](v))) },
      ],
      series: [
        {},
        ...this.lines.map((line) => ({
          label: line.name,
          stroke: color(line.color),
          width: line.thin ? 1 : 2,
          fill: line.fill && !this.banded ? shade(line.color) : undefined,
          points: points(line.color),
        })),
        ...(this.banded ? this.lines.flatMap(() => [0, 1].map(() => ({ stroke: "transparent", width: 0, points: { show: false } }))) : []),
      ],
      bands: this.banded ? this.lines.map((line, i) => ({ series: [n + 1 + 2 * i, n + 2 + 2 * i], fill: shade(line.color) })) : [],
      hooks: {
        setData: [() => this.tell()],
        setCursor: [() => this.tell()],
        ready: [() => this.tell()],
        setSelect: [(u) => this.select(u)],
      },
    };
  }

  // ceiling returns the top of the scale: a little above the highest value, but at least high
  // enough that small values look small.
  ceiling(high) {
    const { unit } = this.definition;
    if (unit === "percent") return 100;
    if (this.top >= (high ?? 0) && this.top > 0) return this.top;
    const goal = Math.max(high ?? 0, unit === "number" ? 1 : 1024) * 1.05;
    const power = 2 ** Math.floor(Math.log2(goal));
    return [1, 1.25, 1.5, 1.75, 2].map((n) => n * power).find((top) => top >= goal);
  }

  // tell writes the values at the pointer, or the newest values, to the legend.
  tell() {
    const { chart, data, banded } = this;
    if (!chart) return;
    const hovered = chart.cursor.idx != null && chart.cursor.left >= 0;
    const at = hovered ? chart.cursor.idx : data[0].length - 1;
    const text = write[this.definition.unit];
    const n = this.lines.length;
    this.time.textContent = !hovered ? "" : banded ? format.date(data[0][at]) : format.timeSeconds(data[0][at]);
    this.values.forEach((element, i) => {
      element.textContent = text(data[i + 1][at]);
      if (banded && hovered && data[i + 1][at] != null) element.textContent += ` (${text(data[n + 2 + 2 * i][at])} to ${text(data[n + 1 + 2 * i][at])})`;
    });
  }

  // describe describes the content of the canvas as text.
  describe() {
    const tell = write[this.definition.unit];
    const parts = this.lines.flatMap((line, i) => {
      const values = this.data[i + 1].filter((v) => v != null);
      if (line.thin) return [];
      if (!values.length) return [`${line.name}: not known`];
      const top = highest(this.banded ? this.data[this.lines.length + 1 + 2 * i] : values);
      return [`${line.name}: ${this.banded ? "at the end on average" : "now"} ${tell(values.at(-1))}, at most ${tell(top)}`];
    });
    this.plot.setAttribute("aria-label", `${this.definition.title}, ${words(this.span)}. ${parts.join(". ")}.${this.top > 0 ? ` The scale ends at ${tell(this.top)}.` : ""}`);
  }

  // select reports the span that was selected in this chart, and not the copies of the selection in
  // the other charts.
  select(u) {
    const { left, width } = u.select;
    if (width <= 0) return;
    u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    if (this.plot.matches(":hover")) this.zoom(u.posToVal(left, "x"), u.posToVal(left + width, "x"));
  }

  // list writes the values to the table.
  list() {
    this.listed = performance.now();
    const { details, data, lines, banded } = this;
    if (!details.open || !data) return;
    const text = write[this.definition.unit];
    const row = (kind, cells) => {
      const tr = document.createElement("tr");
      tr.append(...cells.map((content, i) => {
        const cell = document.createElement(kind === "th" || i === 0 ? "th" : "td");
        if (cell.tagName === "TH") cell.scope = kind === "th" ? "col" : "row";
        cell.textContent = content;
        return cell;
      }));
      return tr;
    };
    const columns = lines.flatMap((line, i) => (banded ? [[`${line.name}, mean`, i + 1], [`${line.name}, highest`, lines.length + 1 + 2 * i], [`${line.name}, lowest`, lines.length + 2 + 2 * i]] : [[line.name, i + 1]]));
    const known = data[0].map((_, k) => k).filter((k) => data.slice(1).some((column) => column[k] != null)).slice(-listed);
    details.querySelector("thead").replaceChildren(row("th", ["Time", ...columns.map(([name]) => name)]));
    details.querySelector("tbody").replaceChildren(...known.reverse().map((k) => row("td", [format.dateSeconds(data[0][k]), ...columns.map(([, i]) => text(data[i][k]))])));
  }

  size() {
    return { width: this.plot.clientWidth, height: this.plot.clientHeight };
  }

  resize() {
    if (!this.card.hidden) this.chart?.setSize(this.size());
  }
}
