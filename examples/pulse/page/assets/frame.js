// The parts that all views share: the status, the notice, the title, the address.

const $ = (id) => document.getElementById(id);

// status shows the state of the page in the header. A screen reader tells it, so that it
// is only written when it changes.
export function status(state, text) {
  const element = $("status");
  if (element.dataset.state !== state) element.dataset.state = state;
  if (element.textContent !== text) element.textContent = text;
  document.body.dataset.state = state; // values that are not current are dimmed
}

export function notice(text) {
  $("notice").hidden = !text;
  if ($("notice").textContent !== (text ?? "")) $("notice").textContent = text ?? "";
}

export function title(...parts) {
  const text = [...parts, "pulse"].filter(Boolean).join(" · ");
  if (document.title !== text) document.title = text;
}

// remember keeps a choice in the address, so that it survives a reload and can be sent to others.
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
