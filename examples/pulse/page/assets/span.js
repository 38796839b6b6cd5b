// The time that the charts of a machine show: its last minutes, or a span between two times, which
// does not move. It is in the address, so Back and Forward of the browser work.

const $ = (id) => document.getElementById(id);
const shortest = 60; // seconds
const longest = 366 * 86400;

const ranges = [...document.querySelectorAll("#window input")];

let minutes = 5; // the length of a moving span
let fixed; // {from, to} in seconds since 1970, or undefined
let end = () => Date.now() / 1000; // the end of a moving span
let changed = () => {};

// span returns the selected time: {from, to} in seconds, and the minutes of a moving span.
export const span = () => (fixed ? { ...fixed, minutes: undefined } : { from: end() - minutes * 60, to: end(), minutes });

// begin reads the selected time from the address. last is a function that returns the end of moving
// spans. The callback is called when the user has selected another time.
export function begin(last, callback) {
  end = last;
  changed = callback;
  read();
}

function read() {
  const address = new URL(location).searchParams;
  const [from, to] = ["from", "to"].map((name) => Date.parse(address.get(name)) / 1000);
  fixed = to > from ? { from, to: Math.min(to, from + longest) } : undefined;
  minutes = Number(ranges.find((r) => r.value === address.get("minutes"))?.value ?? minutes);
  for (const radio of ranges) radio.checked = !fixed && Number(radio.value) === minutes;
}

addEventListener("popstate", () => {
  read();
  changed();
});

for (const radio of ranges) radio.addEventListener("change", () => follow(Number(radio.value)));

// follow selects the last minutes.
function follow(n) {
  [minutes, fixed] = [n, undefined];
  write({ minutes: String(n) });
}

// look selects a span, which ends at the last reading at the latest.
export function look(from, to) {
  const length = Math.min(longest, Math.max(shortest, to - from));
  to = Math.min(end(), (from + to + length) / 2);
  fixed = { from: Math.floor(to - length), to: Math.ceil(to) };
  write({ from: new Date(fixed.from * 1000).toISOString(), to: new Date(fixed.to * 1000).toISOString() });
}

function write(parameters) {
  edited = false;
  $("to").setCustomValidity("");
  const address = new URL(location);
  for (const name of ["minutes", "from", "to"]) address.searchParams.delete(name);
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
  for (const radio of ranges) radio.checked = !fixed && Number(radio.value) === minutes;
  history.pushState(null, "", address);
  changed();
}

const shift = (part) => {
  const { from, to } = span();
  look(from + part * (to - from), to + part * (to - from));
};
const zoom = (factor) => {
  const { from, to } = span();
  const grow = ((factor - 1) * (to - from)) / 2;
  look(from - grow, to + grow);
};
const actions = { earlier: () => shift(-0.5), later: () => shift(0.5), closer: () => zoom(0.5), wider: () => zoom(2), now: () => follow(minutes) };
for (const [name, action] of Object.entries(actions)) $(name).addEventListener("click", action);

const keys = { ArrowLeft: "earlier", ArrowRight: "later", "+": "closer", "-": "wider", Escape: "now" };
$("charts").addEventListener("keydown", (event) => {
  const name = keys[event.key];
  if (!name || event.altKey || event.ctrlKey || event.metaKey || !event.target.classList.contains("plot")) return;
  event.preventDefault();
  actions[name]();
});

// The fields have times of this browser's zone.
const local = (t) => {
  const at = new Date(t * 1000);
  return new Date(at - at.getTimezoneOffset() * 60000).toISOString().slice(0, 19);
};
const entered = (id) => new Date($(id).value).getTime() / 1000;

let edited = false; // the fields have a time that is not shown yet

// tell shows the selected time in the fields, unless the user has edited them.
export function tell() {
  $("now").disabled = !fixed;
  $("later").disabled = !fixed || fixed.to >= end();
  if (edited) return;
  const { from, to } = span();
  for (const [id, t] of [["from", from], ["to", to]]) if ($(id).value !== local(t)) $(id).value = local(t);
}

$("look").addEventListener("input", () => {
  edited = true;
  $("to").setCustomValidity(entered("to") > entered("from") ? "" : "The end must be after the beginning.");
});
$("look").addEventListener("submit", (event) => {
  event.preventDefault();
  look(entered("from"), entered("to"));
});
