// The page of one machine: its last minutes, updated live, or a longer time from the sums of the
// server.

import * as api from "./api.js";
import * as format from "./format.js";
import { Chart } from "./chart.js";
import { charts as definitions, Readings } from "./series.js";
import { showNow } from "./now.js";
import { serverNow } from "./connection.js";
import { current, notice } from "./frame.js";
import * as time from "./span.js";
import { isFuture, isSilent, notes } from "./machine.js";

const $ = (id) => document.getElementById(id);
const live = 60; // minutes: up to this range the readings themselves are drawn
const points = 600; // the number of steps for longer times

let charts = [];
let host; // the machine that is shown
let readings = new Readings();
let latest; // the last reading
let series, drawn; // the data of a longer time, and the span that the data covers
let heard; // the time of the last report, by the server's clock
let sizes = null; // the sizes of the loaded history, if all of it was sent in the wire format
let early = []; // readings that arrived while the history was loading
let row; // the machine's row of the overview
let connected = false; // the stream is open
let unloaded = false; // the history could not be loaded
let round = 0; // counts requests, so that a late response to an earlier one is ignored

// show shows a machine from the overview.
export function show(first) {
  host = first.host;
  hear(first);
  charts = definitions.map((definition) => new Chart(definition, $("charts"), time.look));
  time.begin(newest, () => {
    restart();
    if (connected) load();
  });
  restart();
  api.follow(host, {
    open() {
      connected = true;
      load();
    },
    reading(reading) {
      heard = Math.max(heard, serverNow());
      if (early) early.push(reading);
      else arrive(reading);
    },
    lost() {
      connected = false;
      state();
    },
  });
  setInterval(() => time.span().minutes > live && connected && loadSeries().catch(() => (unloaded = true)), 60000);
}

// newest returns the time of the last reading by the clock of the machine, in seconds.
const newest = () => readings.last?.t ?? (latest ? Date.parse(latest.at) / 1000 : Date.parse(row.last) / 1000);

// fromReadings reports whether the charts show the readings themselves.
const fromReadings = () => time.span().minutes <= live;

// hear is called with the row of the machine in each overview.
export function hear(next) {
  row = next;
  heard = heard && !isFuture(heard) ? Math.max(heard, Date.parse(row.heard)) : Date.parse(row.heard);
  const about = [...notes(row), ...(row.tags ?? [])].join(" · ");
  if ($("about").textContent !== about) $("about").textContent = about;
  if (unloaded && connected) load();
}

// restart drops all readings, and clears the charts.
function restart() {
  readings = new Readings();
  series = undefined;
  sizes = { wire: 0, json: 0 };
  $("sizes").hidden = true;
  for (const chart of charts) chart.clear();
}

// load fetches the readings before now, or since the connection was lost. Times are by the machine's
// clock, which may be wrong, so the range ends with its last reading.
async function load() {
  const mine = ++round;
  early ??= [];
  unloaded = false;
  try {
    const last = await api.latest(host);
    const t = Date.parse(last.at) / 1000;
    if (mine !== round) return;
    const back = readings.last ? readings.last.t - t : 0;
    if (back > 5) restart();
    const from = Math.max(readings.last?.t ?? 0, t - time.span().minutes * 60);
    const past = fromReadings() ? await api.history(host, from, t) : { readings: [last] };
    if (mine !== round) return;
    notice(back > 5 ? steppedBack(back, t) : "");
    for (const reading of past.readings) readings.add(reading);
    if (!readings.last) readings.add(last); // the others have expired
    sizes = sizes && past.sizes && { wire: sizes.wire + past.sizes.wire, json: sizes.json + past.sizes.json };
    showSizes();
    if (!fromReadings()) await loadSeries();
  } catch (error) {
    if (mine !== round || !connected) return;
    unloaded = true;
    notice(`Cannot load the history: ${error.message}.`);
  }
  if (mine !== round) return;
  latest = readings.last ?? latest;
  const waiting = early;
  early = undefined;
  for (const reading of waiting) arrive(reading);
  changed();
}

async function loadSeries() {
  const mine = round;
  const span = time.span();
  const answer = await api.series(host, span.from, span.to + 1, points);
  if (mine !== round) return;
  series = answer;
  drawn = span;
  changed();
}

function arrive(reading) {
  const back = readings.arrive(reading);
  if (back) {
    notice(steppedBack(back, readings.last.t));
    $("sizes").hidden = true;
  }
  latest = readings.last;
  changed();
}

const steppedBack = (seconds, t) => `The clock of ${host} stepped back by ${format.duration(seconds)}, to ${format.date(t)}. The charts begin anew there.`;

// showSizes shows the size of the history in wire, and as JSON.
function showSizes() {
  $("sizes").hidden = !sizes;
  if (!sizes) return;
  $("sizes").textContent = `History: ${format.bytes(sizes.wire)} in wire, ${format.bytes(sizes.json)} as JSON`;
  $("sizes").title = `${sizes.wire} and ${sizes.json} bytes, without compression`;
}

// changed is called when readings have arrived. It draws at most once for each frame, and not at
// all in a hidden tab.
let frame;
function changed() {
  readings.trim((fromReadings() ? time.span().minutes : 1) * 60);
  state();
  time.tell();
  frame ??= requestAnimationFrame(() => {
    frame = undefined;
    draw();
  });
}

function draw() {
  if (!latest) return;
  for (const chart of charts) {
    if (fromReadings() && readings.last) chart.showReadings(readings, time.span());
    else if (!fromReadings() && series) chart.showSeries(series, latest, drawn);
  }
  showNow(latest, row.levels);
  document.body.dataset.readings = readings.list.length;
}

// state shows whether the values are current. A machine can be silent although the server answers.
export function state() {
  if (!connected) current("waiting", "Connecting…", "…", host);
  else if (isSilent(heard, row)) current("silent", `Silent since ${format.dateSeconds(heard / 1000)}`, "Silent", host);
  else current("live", "Live", latest ? format.percent(latest.cpu) : "…", host);
}
