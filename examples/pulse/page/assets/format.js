// Formats numbers and times. An unknown value is a dash.

const prefixes = ["", "Ki", "Mi", "Gi", "Ti", "Pi"];

export const missing = "–";
const known = (n) => typeof n === "number" && Number.isFinite(n);

// significant formats a number with three digits: 7.25, 72.5, 725.
function significant(n) {
  return n.toFixed(n >= 99.95 || Number.isInteger(n) ? 0 : n >= 9.995 ? 1 : 2);
}

export function bytes(n, suffix = "") {
  if (!known(n)) return missing;
  let prefix = 0;
  while (n >= 1023.5 && prefix < prefixes.length - 1) {
    n /= 1024;
    prefix++;
  }
  return `${significant(n)}\u00a0${prefixes[prefix]}B${suffix}`;
}

export const rate = (n) => bytes(n, "/s");

export function percent(n) {
  if (!known(n)) return missing;
  n = Math.min(100, Math.max(0, n));
  return `${n.toFixed(n >= 9.95 || Number.isInteger(n) ? 0 : 1)}\u00a0%`;
}

export const number = (n, digits = 2) => (known(n) ? n.toFixed(n >= 1000 ? 0 : digits) : missing);
export const celsius = (n) => (known(n) ? `${n.toFixed(0)}\u00a0°C` : missing);

// share returns part in percent of whole, or null.
export function share(part, whole) {
  return known(part) && known(whole) && whole > 0 ? Math.min(100, Math.max(0, (part / whole) * 100)) : null;
}

export function duration(seconds) {
  if (!known(seconds) || seconds < 0) return missing;
  const parts = [[86400, "d"], [3600, "h"], [60, "min"], [1, "s"]];
  const first = parts.findIndex(([size]) => seconds >= size);
  let text = [];
  for (const [size, unit] of parts.slice(first < 0 ? -1 : first).slice(0, 2)) {
    const n = Math.floor(seconds / size);
    seconds -= n * size;
    if (n > 0 || text.length === 0) text.push(`${n}\u00a0${unit}`);
  }
  return text.join(" ");
}

// span returns the name of a time range of the charts.
export function span(minutes) {
  for (const [size, name] of [[525600, "year"], [2880, ""], [1440, "day"], [60, "hour"], [1, "minute"]]) {
    if (!name || minutes < size || minutes % size) continue;
    const n = minutes / size;
    return n === 1 && name === "day" ? "24 hours" : n === 1 ? name : `${n} ${name}s`;
  }
  return `${minutes} minutes`;
}

const write = (options) => {
  const format = new Intl.DateTimeFormat([], { hourCycle: "h23", ...options });
  return (seconds) => (known(seconds) ? format.format(seconds * 1000) : missing);
};
const clock = { hour: "2-digit", minute: "2-digit" };
const calendar = { month: "short", day: "numeric" };

export const time = write(clock);
export const timeSeconds = write({ ...clock, second: "2-digit" });
export const day = write(calendar);
export const month = write({ month: "short", year: "numeric" });
const dayTime = write({ ...calendar, ...clock });
const daySeconds = write({ ...calendar, ...clock, second: "2-digit" });
const yearTime = write({ year: "numeric", ...calendar, ...clock });

// dates include the year if it is not the present one.
const another = (seconds) => known(seconds) && new Date(seconds * 1000).getFullYear() !== new Date().getFullYear();
export const date = (seconds) => (another(seconds) ? yearTime : dayTime)(seconds);
export const dateSeconds = (seconds) => (another(seconds) ? yearTime : daySeconds)(seconds);

export const ago = (seconds) => (known(seconds) && seconds >= 3 ? `${duration(Math.floor(seconds))} ago` : known(seconds) ? "now" : missing);
