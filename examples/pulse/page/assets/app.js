// The page: an overview of all machines, one machine, or a hint when there is none.

import * as api from "./api.js";
import * as host from "./host.js";
import { notice, status, title, view } from "./frame.js";
import { showOverview } from "./overview.js";

const $ = (id) => document.getElementById(id);
const parameters = new URL(location).searchParams;
const wanted = parameters.get("host");

let shown; // the machine that is shown, if one is

// look asks for all machines again and again.
async function look() {
  let pause = 2000;
  try {
    pause = await show(await api.overview());
  } catch (error) {
    if (error instanceof api.Unauthorized) return askForToken();
    if (!shown) {
      status("lost", "No connection, trying again…");
      title("No connection");
      if (!document.body.dataset.view) notice(`Cannot list the machines: ${error.message}.`);
    }
  }
  setTimeout(look, pause);
}

// show returns after how many milliseconds to look again.
async function show(hosts) {
  offer(hosts);
  if (shown) {
    const row = hosts.find((h) => h.host === shown);
    if (row) host.hear(row);
    return 10000;
  }
  const one = wanted ?? (hosts.length === 1 && !parameters.has("overview") ? hosts[0].host : undefined);
  const row = hosts.find((h) => h.host === one);
  if (row) {
    shown = one;
    notice();
    view("host");
    host.show(row);
    return 10000;
  }
  if (wanted !== null) {
    notice(`No machine named “${wanted}” has reported here.`);
    status("waiting", "Waiting for it…");
    title("Unknown machine");
    view("unknown");
    return 2000;
  }
  notice();
  if (hosts.length === 0) {
    status("waiting", "Waiting for the first reading…");
    title("Waiting");
    if (document.body.dataset.view !== "empty") await showCommand();
    view("empty");
    return 1000;
  }
  view("overview");
  showOverview(hosts);
  status("live", "Live");
  return 3000;
}

// offer lists the machines to choose from.
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

// showCommand says how a machine begins to report here.
async function showCommand() {
  const token = (await api.asksToPost()) ? "PULSE_WRITE_TOKEN=… " : "";
  $("command").textContent = `${token}pulse -agent-only -server ${location.origin}`;
}

$("copy").addEventListener("click", async () => {
  const text = $("command").textContent;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // A page without HTTPS may not; the older way still works there.
    getSelection().selectAllChildren($("command"));
    document.execCommand("copy");
  }
  $("copied").textContent = "Copied";
  setTimeout(() => ($("copied").textContent = ""), 3000);
});

function askForToken() {
  status("waiting", "A token is needed");
  title("Token");
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
