// The page: loads a machine's last minutes, then follows it live.

import * as api from "./api.js";
import * as format from "./format.js";
import { Chart } from "./chart.js";
import { charts as definitions, Readings } from "./series.js";
import { showNow } from "./now.js";

const $ = (id) => document.getElementById(id);
const address = new URL(location);
const charts = definitions.map((definition) => new Chart(definition, $("charts")));

let host; // the machine that is shown
const windows = [...document.querySelectorAll("#window input")];
let minutes = Number(windows.find((w) => w.value === address.searchParams.get("minutes"))?.value ?? 5);
let readings = new Readings();
let stop = () => {};
let sizes = null; // of the history that was loaded, if all of it came in wire
let connected = false;
let opened = false; // a connection has been there
let round = 0; // counts what has been asked for, so that a late answer to something else is ignored

function status(state, text) {
  const element = $("status");
  if (element.dataset.state !== state) element.dataset.state = state;
  if (element.textContent !== text) element.textContent = text;
}

function notice(text) {
  $("notice").hidden = !text;
  $("notice").textContent = text ?? "";
}

// showSizes says what the history took in wire, and takes as JSON.
function showSizes() {
  $("sizes").hidden = !sizes;
  if (!sizes) return;
  $("sizes").textContent = `History: ${format.bytes(sizes.wire)} in wire, ${format.bytes(sizes.json)} as JSON`;
  $("sizes").title = `${sizes.wire} and ${sizes.json} bytes, without compression`;
}

// changed is called when readings have come. It draws once a frame at most,
// however many there are, and in a tab that nobody sees not at all.
let frame;
function changed() {
  const last = readings.last;
  if (!last) return;
  readings.trim(minutes * 60);
  document.title = `${format.percent(last.cpu)} · ${last.host} · pulse`;
  frame ??= requestAnimationFrame(() => {
    frame = undefined;
    draw(readings.last);
  });
}

function draw(last) {
  if (!last) return;
  for (const chart of charts) chart.show(readings, minutes * 60);
  showNow(last);
  document.body.dataset.readings = readings.list.length;
}

// watch shows one machine: history first, then what arrives.
function watch(name) {
  stop();
  host = name;
  round++;
  readings = new Readings();
  sizes = { wire: 0, json: 0 };
  $("sizes").hidden = true;
  connected = false;
  for (const chart of charts) chart.clear();
  status("waiting", "Connecting…");

  let early = []; // arrived while the history was loading
  async function catchUp() {
    early ??= [];
    const mine = ++round;
    try {
      // Times are the machine's own: this browser's clock may be anything.
      const from = Math.max(readings.last?.t ?? 0, (await newestOf(name)) - minutes * 60);
      const past = await api.history(name, from * 1000);
      if (mine !== round) return;
      notice();
      for (const reading of [...past.readings, ...early]) readings.add(reading);
      sizes = sizes && past.sizes && { wire: sizes.wire + past.sizes.wire, json: sizes.json + past.sizes.json };
      showSizes();
    } catch (error) {
      if (mine !== round) return;
      notice(`Cannot load what happened before: ${error.message}.`);
      for (const reading of early) readings.add(reading);
    }
    early = undefined;
    changed();
  }

  stop = api.follow(name, {
    open() {
      connected = opened = true;
      heard = performance.now();
      catchUp();
    },
    reading(reading) {
      if (early) early.push(reading);
      else if (readings.add(reading)) changed();
      heard = performance.now();
    },
    lost() {
      connected = false;
      opened = true;
      judge();
    },
  });
}

async function newestOf(name) {
  const known = (await api.hosts()).find((h) => h.host === name);
  return Date.parse(known?.last ?? new Date()) / 1000;
}

// judge says whether what is shown is live. A connection can stay open while
// the machine itself has gone silent.
let heard = 0; // when a reading last arrived, on this browser's own clock
function judge() {
  if (!host) return;
  const silent = (performance.now() - heard) / 1000;
  if (!connected) {
    if (opened) status("lost", "Reconnecting…");
  } else if (silent < Math.max(5, 3 * readings.interval())) status("live", "Live");
  else if (!readings.last) status("waiting", "No readings");
  else status("silent", `Silent since ${format.timeSeconds(readings.last.t)}`);
}
setInterval(judge, 500);

// look keeps the list of machines current, and shows the first that appears.
async function look() {
  try {
    const list = await api.hosts();
    const names = list.map((h) => h.host);
    if (names.length === 0) {
      notice();
      status("waiting", "Waiting for the first reading…");
    } else {
      if (!host) watch(choose(list));
      offer(names);
    }
    setTimeout(look, names.length ? 10000 : 500);
  } catch (error) {
    if (!host) {
      status("lost", "No connection");
      notice(`Cannot list the machines: ${error.message}.`);
    }
    setTimeout(look, 2000);
  }
}

// choose takes the machine that the address names, or the one heard last.
function choose(list) {
  const wanted = address.searchParams.get("host");
  if (list.some((h) => h.host === wanted)) return wanted;
  return list.reduce((a, b) => (Date.parse(b.last) > Date.parse(a.last) ? b : a)).host;
}

function offer(names) {
  const select = $("host");
  if (names.join("\n") !== [...select.options].map((o) => o.value).join("\n")) {
    select.replaceChildren(...names.map((name) => new Option(name, name)));
  }
  select.value = host;
  select.hidden = names.length < 2;
  $("host-name").hidden = names.length > 1;
  $("host-name").textContent = names[0];
}

function remember(key, value) {
  address.searchParams.set(key, value);
  history.replaceState(null, "", address);
}

$("host").addEventListener("change", (event) => {
  remember("host", event.target.value);
  watch(event.target.value);
});

for (const radio of windows) {
  radio.checked = Number(radio.value) === minutes;
  radio.addEventListener("change", () => {
    minutes = Number(radio.value);
    remember("minutes", minutes);
    if (host) watch(host);
  });
}

look();
