// The tiles and the tables: the newest reading in numbers.

import * as format from "./format.js";

const $ = (id) => document.getElementById(id);

export function showNow(reading) {
  const { cpu, cores, load1, load5, load15, uptime } = reading;
  const used = format.share(reading.memory_used, reading.memory_total);
  tile("cpu", format.percent(cpu), cores ? `${cores.length}\u00a0${cores.length === 1 ? "core" : "cores"}, busiest\u00a0${format.percent(Math.max(...cores))}` : "");
  tile("memory", format.percent(used), used == null ? "" : `${format.bytes(reading.memory_used)} of ${format.bytes(reading.memory_total)}`);
  tile("load", load1 == null ? format.missing : load1.toFixed(2), load1 == null ? "" : `5\u00a0min\u00a0${load5?.toFixed(2)} · 15\u00a0min\u00a0${load15?.toFixed(2)}`);
  tile("uptime", format.duration(uptime), uptime == null ? "" : `since ${format.date(reading.t - uptime)}`);

  table("disks", reading.disks, (d) => [mount(d), format.rate(d.read), format.rate(d.write)]);
  table("networks", reading.networks, (n) => [n.name, format.rate(n.received), format.rate(n.sent)]);
  table("temperatures", reading.temperatures, (t) => [t.sensor, `${t.celsius.toFixed(0)}\u00a0°C`]);
}

function tile(name, value, detail) {
  $(`${name}-value`).textContent = value;
  $(`${name}-detail`).textContent = detail;
}

// mount names a disk and shows how full it is, as a bar and in words.
function mount({ mount, used, total }) {
  const percent = format.share(used, total);
  if (percent == null) return mount;
  const cell = document.createElement("div");
  cell.className = "mount";
  const name = document.createElement("span");
  name.textContent = mount;
  const bar = document.createElement("i");
  bar.style.setProperty("--share", `${percent}%`);
  bar.classList.toggle("full", percent >= 90);
  const words = document.createElement("small");
  words.textContent = `${format.percent(percent)} of ${format.bytes(total)}`;
  cell.append(name, bar, words);
  return cell;
}

// table rewrites a table's body, and hides the card of what the machine lacks.
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
