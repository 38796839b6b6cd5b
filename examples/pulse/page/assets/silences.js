// The silences of alerts, and the form that adds one.

import * as api from "./api.js";
import * as format from "./format.js";
import { serverNow } from "./connection.js";
import { fill } from "./table.js";

const $ = (id) => document.getElementById(id);

// showSilences requests the silences and shows them.
export async function showSilences() {
  const { silences } = await api.silences();
  const title = silences.length ? `Silences (${silences.length})` : "Silences";
  if ($("silences-title").textContent !== title) $("silences-title").textContent = title;
  fill("silences", silences, (s) => [s.hosts, end(s), s.rule || "all", s.tag || "any", `${s.reason} (${s.who})`]);
}

// end returns the end of a silence, with its schedule or a button that ends it now.
function end({ id, hosts, reason, schedule, until }) {
  const cell = document.createElement("span");
  cell.append(`until ${format.date(Date.parse(until) / 1000)} `);
  if (schedule) {
    cell.append(`(${schedule})`);
    return cell;
  }
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "End";
  button.ariaLabel = `End the silence of ${hosts}: ${reason}`;
  button.addEventListener("click", () => change(button, () => api.endSilence(id), "The silence has ended."));
  cell.append(button);
  return cell;
}

// change makes a change, shows its result and asks for a token if the server needs one.
async function change(button, send, done) {
  if ($("admin-token").value) api.setAdminToken($("admin-token").value.trim());
  button.disabled = true;
  try {
    await send();
    $("admin").hidden = true;
    $("admin-token").value = "";
    answer(done);
    showSilences().catch(() => {}); // the page requests them again soon
    return true;
  } catch (error) {
    if (!(error instanceof api.Unauthorized)) answer(`Nothing has changed: ${error.message}.`, true);
    else {
      answer($("admin").hidden ? "A change needs a token of pulse token add -right admin. This tab keeps it until it is closed." : "The token is not one of the right admin.", true);
      $("admin").hidden = false;
      $("admin-token").focus();
    }
  } finally {
    button.disabled = false;
  }
  return false;
}

function answer(text, wrong = false) {
  $("silence-answer").textContent = text;
  $("silence-answer").toggleAttribute("data-wrong", wrong);
}

// The form is filled in when it is opened: with the end in two hours and the present rules.
$("silences-card").addEventListener("toggle", async () => {
  if (!$("silences-card").open) return;
  const until = new Date((serverNow() ?? Date.now()) + 2 * 3600e3);
  until.setMinutes(until.getMinutes() - until.getTimezoneOffset());
  $("silence-until").value = until.toISOString().slice(0, 16);
  const rules = await api.rules().catch(() => []);
  const metrics = [...new Set(rules.map((rule) => rule.split(/[\s:]+/)[1]))];
  $("silence-rule").replaceChildren(new Option("all", ""), ...[...metrics, ...rules].map((text) => new Option(text, text)));
});

$("silence").addEventListener("submit", async (event) => {
  event.preventDefault();
  const silence = {
    hosts: $("silence-hosts").value.trim(), tag: $("silence-tag").value.trim(), rule: $("silence-rule").value, reason: $("silence-reason").value.trim(),
    for: `${Date.parse($("silence-until").value) - Math.round(serverNow() ?? Date.now())}ms`,
  };
  if (await change(event.submitter ?? $("silence").querySelector("button"), () => api.addSilence(silence), "The silence has begun.")) $("silence-reason").value = "";
});
