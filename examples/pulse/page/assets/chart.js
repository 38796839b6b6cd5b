// One card with a chart: title, legend with the current values, canvas.

import * as format from "./format.js";

const write = { percent: format.percent, bytes: (n) => format.bytes(n), rate: format.rate };

// The axis steps: round numbers in the unit that is written beside them.
const binary = [];
for (let power = 1; power <= 2 ** 60; power *= 1024) for (const n of [1, 2, 4, 8, 16, 32, 64, 128, 256, 512]) binary.push(n * power);
const steps = { percent: [25, 50], bytes: binary, rate: binary };
const minutes = [30, 60, 120, 300, 600, 900, 1800];

// The colours are the style sheet's, so that one place knows both themes.
const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

const synchronized = uPlot.sync("charts");

export class Chart {
  constructor(definition, parent) {
    this.definition = definition;
    this.card = document.createElement("section");
    this.card.className = "card chart";
    this.card.innerHTML = `<h2></h2><ul class="legend"></ul><div class="plot" role="img"></div>`;
    this.card.querySelector("h2").textContent = definition.title;
    this.legend = this.card.querySelector(".legend");
    this.plot = this.card.querySelector(".plot");
    this.plot.id = `chart-${definition.id}`;
    parent.append(this.card);
    new ResizeObserver(() => this.resize()).observe(this.plot);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.rebuild());
  }

  // show draws readings over a window that ends with the newest.
  show(readings, seconds) {
    const { definition } = this;
    const last = readings.last;
    const lines = definition.lines.filter((line) => !line.optional || line.value(last) != null);
    lines.unshift(...(definition.more?.(last) ?? [])); // thin lines lie under the others
    this.readings = readings;
    this.data = readings.columns(lines);
    this.range = [last.t - seconds, last.t];
    this.top = definition.max?.(last);
    // There is no chart of what the machine does not measure.
    this.card.hidden = this.data.slice(1).every((column) => column.every((v) => v == null));
    if (!this.chart || this.lines.length !== lines.length) {
      this.lines = lines;
      this.rebuild();
    } else {
      this.chart.setData(this.data);
    }
    this.describe(seconds);
  }

  clear() {
    this.card.hidden = false;
    this.chart?.destroy();
    this.chart = undefined;
    this.legend.replaceChildren();
    this.plot.setAttribute("aria-label", `${this.definition.title}: no readings yet`);
  }

  rebuild() {
    if (!this.data) return;
    this.chart?.destroy();
    this.values = [];
    this.time = document.createElement("li"); // the moment under the pointer
    this.legend.replaceChildren(this.time);
    this.lines.forEach((line, i) => {
      if (line.thin && i > 0) return; // one entry stands for all of them
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
    return {
      ...this.size(),
      legend: { show: false },
      padding: [10, 18, 0, 0], // half a time label on the right
      cursor: { sync: { key: synchronized.key }, drag: { x: false, y: false }, y: false, points: { size: 7 } },
      scales: {
        x: { range: () => this.range },
        y: { range: (_, low, high) => [0, unit === "percent" ? 100 : this.top ?? ceiling(high)] },
      },
      axes: [
        { ...axis, size: 26, space: 64, incrs: minutes, values: (_, splits) => splits.map((t) => (t % 60 ? "" : format.time(t))) },
        { ...axis, size: 72, gap: 8, space: 30, incrs: steps[unit], values: (_, splits) => splits.map(write[unit]) },
      ],
      series: [{}, ...this.lines.map((line) => ({
        label: line.name,
        stroke: color(line.color),
        width: line.thin ? 1 : 2,
        fill: line.fill ? color(`${line.color}-fill`) : undefined,
        points: { show: false },
      }))],
      hooks: {
        setData: [() => this.tell()],
        setCursor: [() => this.tell()],
        ready: [() => this.tell()],
      },
    };
  }

  // tell writes the values under the pointer, or the newest, into the legend.
  tell() {
    const { chart, data } = this;
    if (!chart) return;
    const hovered = chart.cursor.idx != null && chart.cursor.left >= 0;
    const at = hovered ? chart.cursor.idx : data[0].length - 1;
    this.time.textContent = hovered ? format.timeSeconds(data[0][at]) : "";
    this.values.forEach((element, i) => {
      element.textContent = write[this.definition.unit](data[i + 1][at]);
    });
  }

  // describe says in words what the canvas shows.
  describe(seconds) {
    const tell = write[this.definition.unit];
    const parts = this.lines.flatMap((line, i) => {
      const values = this.data[i + 1].filter((v) => v != null);
      if (line.thin) return [];
      if (!values.length) return [`${line.name}: not known`];
      return [`${line.name}: now ${tell(values.at(-1))}, at most ${tell(values.reduce((a, b) => Math.max(a, b)))}`];
    });
    this.plot.setAttribute("aria-label", `${this.definition.title}, last ${seconds / 60} minutes. ${parts.join(". ")}.`);
  }

  size() {
    return { width: this.plot.clientWidth, height: this.plot.clientHeight };
  }

  resize() {
    if (!this.card.hidden) this.chart?.setSize(this.size());
  }
}

// ceiling is the top of a scale: at least 1 KiB, so that a whisper does not
// look like a storm, and a little above the highest value.
function ceiling(high) {
  const goal = Math.max(high ?? 0, 1024) * 1.05;
  const power = 2 ** Math.floor(Math.log2(goal));
  return [1, 1.25, 1.5, 1.75, 2].map((n) => n * power).find((top) => top >= goal);
}
