// The tables below the overview.

const $ = (id) => document.getElementById(id);

const shown = {};

// fill rewrites the rows of a table if the list has changed. cells returns the content of the cells of an
// item. A table without rows is hidden.
export function fill(id, list, cells) {
  $(id).hidden = list.length === 0;
  const text = JSON.stringify(list);
  if (shown[id] === text) return;
  shown[id] = text;
  $(id).querySelector("tbody").replaceChildren(...list.map((item) => {
    const row = document.createElement("tr");
    row.append(...cells(item).map((content, i) => {
      const cell = document.createElement(i === 0 ? "th" : "td");
      if (i === 0) cell.scope = "row";
      cell.append(content);
      return cell;
    }));
    return row;
  }));
}
