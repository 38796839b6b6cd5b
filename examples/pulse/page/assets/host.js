// The page of one machine: its last minutes, followed live, or longer times as the server
// has summed them up.

import * as api from "./api.js";
import * as format from "./format.js";
import { Chart } from "./chart.js";
import { charts as definitions, Readings } from "./series.js";
import { showNow } from "./now.js";
import { notice, remember, status, title } from "./frame.js";

const $ = (id) => document.getElementById(id);
const live = 60; // minutes: up to there the readings themselves are drawn
const points = 600; // of longer times

const ranges = [...document.querySelectorAll("#window input")];
let charts = [];
let host; // the machine that is shown
let minutes = 5;
let readings = new Readings();
let latest; // the reading that came last
let series, end; // of a longer time, and where it ends
let heard; // when a reading came last, by the server's clock
let sizes = null; // of the history that was loaded, if all of it came in wire
let early = []; // readings that arrived while the history was loading
let connected = false;
let opened = false; // a connection has been there, or was lost
let round = 0; // counts requests, so that a late answer to an earlier one is ignored

// show begins to show a machine, of which the overview has a row.
export function show(row) {
  host = row.host;
  hear(row);
  charts = definitions.map((definition) => new Chart(definition, $("charts")));
  const wanted = new URL(location).searchParams.get("minutes");
  minutes = Number(ranges.find((r) => r.value === wanted)?.value ?? minutes);
  for (const radio of ranges) {
    radio.checked = Number(radio.value) === minutes;
    radio.addEventListener("change", () => choose(Number(radio.value)));
  }
  restart();
  api.follow(host, {
    open() {
      connected = opened = true;
      load();
    },
    reading(reading) {
      heard = api.serverNow();
      if (early) early.push(reading);
      else arrive(reading);
    },
    lost() {
      connected = false;
      opened = true;
      judge();
    },
  });
  setInterval(judge, 500);
  setInterval(() => minutes > live && connected && loadSeries().catch(() => {}), 60000);
}

// hear takes from the overview when the machine was heard last.
export function hear(row) {
  heard = Math.max(heard ?? 0, Date.parse(row.heard ?? row.last));
}

function choose(value) {
  minutes = value;
  remember("minutes", minutes);
  restart();
  if (connected) load();
}

function restart() {
  readings = new Readings();
  series = undefined;
  sizes = { wire: 0, json: 0 };
  $("sizes").hidden = true;
  for (const chart of charts) chart.clear();
}

// load fetches the readings before now, or since the connection was lost. Times are the
// machine's own, and end with the reading that came last: its clock may be anything.
async function load() {
  const mine = ++round;
  early ??= [];
  try {
    const newest = await api.latest(host);
    const t = Date.parse(newest.at) / 1000;
    if (mine !== round) return;
    const back = readings.last ? readings.last.t - t : 0;
    if (back > 5) restart();
    const from = Math.max(readings.last?.t ?? 0, t - Math.min(minutes, live) * 60);
    const past = minutes > live ? { readings: [newest] } : await api.history(host, from, t);
    if (mine !== round) return;
    notice(back > 5 ? steppedBack(back, t) : "");
    for (const reading of past.readings) readings.add(reading);
    if (!readings.last) readings.add(newest); // the others are not kept any longer
    sizes = sizes && past.sizes && { wire: sizes.wire + past.sizes.wire, json: sizes.json + past.sizes.json };
    showSizes();
    if (minutes > live) await loadSeries();
  } catch (error) {
    if (mine !== round || !connected) return;
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
  const to = readings.last?.t ?? Date.parse(latest.at) / 1000;
  const answer = await api.series(host, to - minutes * 60, to + 1, points);
  if (mine !== round) return;
  series = answer;
  end = to;
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

// changed is called when readings have come. It draws once a frame at most,
// however many there are, and in a tab that nobody sees not at all.
let frame;
function changed() {
  readings.trim(Math.min(minutes, live) * 60);
  judge();
  frame ??= requestAnimationFrame(() => {
    frame = undefined;
    draw();
  });
}

function draw() {
  if (!latest) return;
  for (const chart of charts) {
    if (minutes <= live && readings.last) chart.showReadings(readings, minutes);
    else if (minutes > live && series) chart.showSeries(series, latest, end, minutes);
  }
  showNow(latest);
  document.body.dataset.readings = readings.list.length;
}

// judge says whether the page is live. A connection can stay open while
// the machine itself has gone silent.
function judge() {
  const silent = (api.serverNow() - heard) / 1000;
  let state = "live";
  if (!connected) state = opened ? "lost" : "waiting";
  else if (silent > Math.max(5, 3 * readings.interval())) state = "silent";
  const now = latest ? format.percent(latest.cpu) : "…";
  switch (state) {
    case "live": status(state, "Live"); break;
    case "waiting": status(state, "Connecting…"); break;
    case "silent": status(state, `Silent since ${format.dateSeconds(heard / 1000)}`); break;
    case "lost": status(state, "No connection, trying again…");
  }
  title({ live: now, waiting: "…", silent: "Silent", lost: "No connection" }[state], host);
}
