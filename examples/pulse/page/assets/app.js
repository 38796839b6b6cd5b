// The page: an overview of all machines, a single machine, or instructions if there is none.

import * as api from "./api.js";
import * as host from "./host.js";
import { alive, lost } from "./connection.js";
import { current, notice, view } from "./frame.js";
import { showAlerts } from "./alerts.js";
import { showOverview } from "./overview.js";
import { showSilences } from "./silences.js";

const $ = (id) => document.getElementById(id);
const parameters = new URL(location).searchParams;
const wanted = parameters.get("host");

const pollEvery = 3000; // milliseconds

let shown; // the machine that is shown, if any

// look requests the list of all machines repeatedly.
let next;
async function look() {
  clearTimeout(next);
  let pause = 2000;
  try {
    pause = await show(await api.overview());
  } catch (error) {
    if (error instanceof api.Unauthorized) return askForToken();
    if (!document.body.dataset.view) notice(`Cannot list the machines: ${error.message}.`);
    if (!lost()) console.error(error); // a fault of this page
  }
  state();
  clearTimeout(next);
  next = setTimeout(look, pause);
}

// A browser delays the requests of hidden pages.
document.addEventListener("visibilitychange", () => document.hidden || document.body.dataset.view === "token" || look());

// state shows the state of the page. It is called regularly, because the state can change although
// no answer arrives.
let state = () => current("waiting", "Connecting…", "");
setInterval(() => document.body.dataset.view === "token" || state(), 500);

// show returns the number of milliseconds until the next request.
async function show(hosts) {
  offer(hosts);
  if (shown) {
    const row = hosts.find((h) => h.host === shown);
    if (row) host.hear(row);
    return pollEvery;
  }
  const one = wanted ?? (hosts.length === 1 && !parameters.has("overview") ? hosts[0].host : undefined);
  const row = hosts.find((h) => h.host === one);
  if (row) {
    shown = one;
    notice();
    view("host");
    host.show(row);
    state = host.state;
    return pollEvery;
  }
  if (wanted !== null) {
    notice(`No machine named “${wanted}” has reported here.`);
    state = () => current("waiting", "Waiting for it…", "Unknown machine");
    view("unknown");
    return 2000;
  }
  notice();
  if (hosts.length === 0) {
    state = () => current("waiting", "Waiting for the first reading…", "Waiting");
    if (document.body.dataset.view !== "empty") await showCommand();
    view("empty");
    return 1000;
  }
  view("overview");
  const problems = showOverview(hosts);
  await Promise.all([showAlerts(), showSilences()]);
  state = () => current("live", "Live", problems);
  return pollEvery;
}

// offer fills the list from which a machine is selected.
function offer(hosts) {
  const names = hosts.map((h) => h.host);
  const select = $("host");
  if (names.join("\n") !== [...select.options].map((o) => o.value).join("\n")) {
    select.replaceChildren(...names.map((name) => new Option(name, name)));
  }
  select.value = shown ?? wanted ?? names[0];
  select.hidden = names.length < 2;
  $("host-name").hidden = names.length > 1;
  $("host-name").textContent = names[0] ?? "";
}

$("host").addEventListener("change", (event) => {
  const address = new URL(location);
  address.searchParams.set("host", event.target.value);
  location.assign(address);
});

// showCommand shows the command with which a machine reports to this server.
async function showCommand() {
  const token = (await api.asksToPost()) ? "PULSE_WRITE_TOKEN=… " : "";
  $("command").textContent = `${token}pulse -agent-only -server ${location.origin}`;
}

$("copy").addEventListener("click", async () => {
  const text = $("command").textContent;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Without HTTPS the page may not use the clipboard API, but the older method works.
    getSelection().selectAllChildren($("command"));
    document.execCommand("copy");
  }
  $("copied").textContent = "Copied";
  setTimeout(() => ($("copied").textContent = ""), 3000);
});

function askForToken() {
  alive("requests"); // the server answers
  current("waiting", "A token is needed", "Token");
  view("token");
  $("wrong").hidden = !api.token();
  $("token").focus();
}

$("token-form").addEventListener("submit", (event) => {
  event.preventDefault();
  api.setToken($("token").value.trim());
  location.reload();
});

look();
