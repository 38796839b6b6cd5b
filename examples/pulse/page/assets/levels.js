// When a number is too high. A level is "", "warn" or "bad"; its colour is never the only
// sign of it: there are a shape and a word too.

function level(value, warn, bad) {
  if (value == null || value < warn) return "";
  return value >= bad ? "bad" : "warn";
}

export const ofPercent = (percent) => level(percent, 75, 90);
export const ofLoad = (load, cores) => (cores > 0 && load != null ? level(load / cores, 1, 2) : "");

export const worst = (levels) => (levels.includes("bad") ? "bad" : levels.includes("warn") ? "warn" : "");

export const words = { "": "OK", warn: "High", bad: "Critical", silent: "Silent" };
const shapes = { "": "✓", warn: "▲", bad: "■", silent: "○" };

// mark returns an element that says a level.
export function mark(level) {
  const element = document.createElement("span");
  element.className = "mark";
  element.dataset.level = level;
  const shape = document.createElement("span");
  shape.ariaHidden = "true";
  shape.textContent = shapes[level];
  element.append(shape, ` ${words[level]}`);
  return element;
}
