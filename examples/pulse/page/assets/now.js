// The tiles and the tables: the newest reading in numbers.

import * as format from "./format.js";
import * as levels from "./levels.js";
import { fullest, usable, usedShare } from "./series.js";

const $ = (id) => document.getElementById(id);

// showNow shows a reading, and the levels that the overview has for it.
export function showNow(reading, level) {
  const { cpu, cores, load1, load5, load15, uptime, disks } = reading;
  const used = format.share(reading.memory_used, reading.memory_total);
  tile("cpu", format.percent(cpu), cores ? `${cores.length}\u00a0${cores.length === 1 ? "core" : "cores"}, busiest\u00a0${format.percent(Math.max(...cores))}` : "", level.cpu);
  tile("memory", format.percent(used), used == null ? "" : `${format.bytes(reading.memory_used)} of ${format.bytes(reading.memory_total)}`, level.memory);
  const full = fullest(reading);
  tile("disk", format.percent(full), full == null ? "" : `fullest of ${disks.length}`, level.disk);
  tile("load", format.number(load1), load1 == null ? "" : `5\u00a0min\u00a0${format.number(load5)} · 15\u00a0min\u00a0${format.number(load15)}`, level.load);
  tile("uptime", format.duration(uptime), uptime == null ? "" : `since ${format.date(Date.parse(reading.at) / 1000 - uptime)}`, "");

  table("disks", disks, (d) => [mount(d), format.rate(d.read), format.rate(d.write)]);
  table("networks", reading.networks, (n) => [n.apart && n.kind ? `${n.name} (${n.kind})` : n.name, format.rate(n.received), format.rate(n.sent)]);
  table("temperatures", reading.temperatures, (t) => [t.sensor, format.celsius(t.celsius)]);
}

function tile(name, value, detail, level = "") {
  $(`${name}-value`).textContent = value;
  $(`${name}-detail`).textContent = detail;
  const tile = $(`${name}-value`).parentElement;
  if ((tile.dataset.level ?? "") === level) return;
  tile.dataset.level = level;
  tile.querySelector(".mark")?.remove();
  if (level) tile.querySelector("h2").append(levels.mark(level));
}

// mount returns an element with the name of a disk and its used share, as a bar and as text. If the
// share is not known, it returns only the name.
function mount(disk) {
  const percent = usedShare(disk);
  if (percent == null) return disk.mount;
  const cell = document.createElement("div");
  cell.className = "mount";
  const name = document.createElement("span");
  name.textContent = disk.mount;
  const bar = document.createElement("i");
  bar.style.setProperty("--share", `${percent}%`);
  bar.dataset.level = levels.ofShare(percent);
  const words = document.createElement("small");
  words.textContent = `${format.percent(percent)} of ${format.bytes(usable(disk))}`;
  if (bar.dataset.level) words.append(" ", levels.mark(bar.dataset.level));
  cell.append(name, bar, words);
  return cell;
}

// table rewrites the body of a table, and hides the card if the machine has no such part.
function table(id, list, cells) {
  $(id).hidden = !list?.length;
  $(id).querySelector("tbody").replaceChildren(...(list ?? []).map((item) => {
    const row = document.createElement("tr");
    row.append(...cells(item).map((content, i) => {
      const cell = document.createElement(i === 0 ? "th" : "td");
      if (i === 0) cell.scope = "row";
      cell.append(content);
      return cell;
    }));
    return row;
  }));
}
