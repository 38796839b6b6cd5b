// Levels of values that are too high. A level is "", "warn" or "bad". It is shown by a shape and a
// word too, not only by a colour.

// ofShare returns the level of the used share of one disk, in percent.
export const ofShare = (percent) => (percent >= 90 ? "bad" : percent >= 80 ? "warn" : "");

export const worst = (levels) => (levels.includes("bad") ? "bad" : levels.includes("warn") ? "warn" : "");

export const words = { "": "OK", warn: "High", bad: "Critical", silent: "Silent" };
const shapes = { "": "✓", warn: "▲", bad: "■", silent: "○" };

// mark returns an element that shows a level.
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
