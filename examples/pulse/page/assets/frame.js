// The parts that all views share: the status, the notice, the title, the address.

import { lost } from "./connection.js";
import * as format from "./format.js";

const $ = (id) => document.getElementById(id);

// status shows the state of the page in the header. It is written only when it changes, since a
// screen reader announces each write.
function status(state, text) {
  const element = $("status");
  if (element.dataset.state !== state) element.dataset.state = state;
  if (element.textContent !== text) element.textContent = text;
  document.body.dataset.state = state; // dims values that are not current
}

// current shows a state of the page and a title for it. If the connection is lost, it shows since
// when, because the values on the page are then old. machine is the name of the machine that is
// shown; undefined on the page of all machines.
export function current(state, text, heading, machine) {
  const broken = lost();
  if (broken) {
    state = "lost";
    text = broken.heard ? `${broken.reason} since ${format.timeSeconds(broken.heard / 1000)}` : `${broken.reason}, trying again…`;
    heading = text;
  }
  status(state, text);
  title(heading, machine);
}

// notice shows a text below the header, or hides it if there is no text.
export function notice(text) {
  $("notice").hidden = !text;
  if ($("notice").textContent !== (text ?? "")) $("notice").textContent = text ?? "";
}

function title(...parts) {
  const text = [...parts, "pulse"].filter(Boolean).join(" · ");
  if (document.title !== text) document.title = text;
}

// remember stores a selection in the address, so that it survives a reload and can be shared.
export function remember(key, value) {
  const address = new URL(location);
  if (value) address.searchParams.set(key, value);
  else address.searchParams.delete(key);
  history.replaceState(null, "", address);
}

// view shows one of the sections of the page and hides the others.
export function view(name) {
  if (document.body.dataset.view === name) return;
  document.body.dataset.view = name;
  for (const section of document.querySelectorAll("[data-in]")) section.hidden = !section.dataset.in.split(" ").includes(name);
}
