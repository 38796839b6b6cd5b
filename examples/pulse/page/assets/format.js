// Numbers and times as people read them.

const prefixes = ["", "Ki", "Mi", "Gi", "Ti", "Pi"];

// significant writes three digits: 7.25, 72.5, 725.
function significant(n) {
  return n.toFixed(n >= 99.95 || Number.isInteger(n) ? 0 : n >= 9.995 ? 1 : 2);
}

export const missing = "–";

export function bytes(n, suffix = "") {
  if (n == null) return missing;
  let prefix = 0;
  while (n >= 1023.5 && prefix < prefixes.length - 1) {
    n /= 1024;
    prefix++;
  }
  return `${significant(n)}\u00a0${prefixes[prefix]}B${suffix}`;
}

export function rate(n) {
  return bytes(n, "/s");
}

export function percent(n) {
  if (n == null) return missing;
  return `${n.toFixed(n >= 9.95 || Number.isInteger(n) ? 0 : 1)}\u00a0%`;
}

export function share(part, whole) {
  return part == null || !whole ? null : (part / whole) * 100;
}

export function duration(seconds) {
  if (seconds == null) return missing;
  const parts = [[86400, "d"], [3600, "h"], [60, "min"], [1, "s"]];
  const first = Math.max(0, parts.findIndex(([size]) => seconds >= size));
  let text = [];
  for (const [size, unit] of parts.slice(first, first + 2)) {
    const n = Math.floor(seconds / size);
    seconds -= n * size;
    if (n > 0 || text.length === 0) text.push(`${n}\u00a0${unit}`);
  }
  return text.join(" ");
}

const clock = new Intl.DateTimeFormat([], { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const clockSeconds = new Intl.DateTimeFormat([], { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });
const day = new Intl.DateTimeFormat([], { month: "short", day: "numeric", hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

export const time = (seconds) => clock.format(seconds * 1000);
export const timeSeconds = (seconds) => clockSeconds.format(seconds * 1000);
export const date = (seconds) => day.format(seconds * 1000);
