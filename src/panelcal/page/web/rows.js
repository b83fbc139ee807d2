// Which rows of a table are shown, in which order: found here where the page holds the whole table, and asked of Python
// (page/table_rows.py) where it holds the beginning only.

const collator = new Intl.Collator("en", { numeric: true });
const empty = (value) => value === null || value === undefined || value === "";

function compared(a, b) {
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (typeof a === "number") return -1;
  if (typeof b === "number") return 1;
  return collator.compare(String(a), String(b));
}

export const isWhole = (table) => table.rows.length === table.total;

/** Places of the rows that `query` ({words, columns, by, direction}) asks for, in a table that is here as a whole. */
function chosen(table, { words, columns, by, direction }) {
  let places = [...table.rows.keys()];
  if (words) {
    const wanted = words.toLowerCase();
    places = places.filter((place) => columns.some((k) => String(table.columns[k].cells[place] ?? "").toLowerCase().includes(wanted)));
  }
  if (by < 0) return places;
  const { cells } = table.columns[by];
  const known = places.filter((place) => !empty(cells[place])).sort((a, b) => direction * compared(cells[a], cells[b]) || a - b);
  return [...known, ...places.filter((place) => empty(cells[place]))];
}

/**
 * Rows `first` and so many after it, as {found, places, rows, columns}: how many there are, and where in `rows` and
 * `columns` those stand that were asked for. At once where they are here, else a promise from `ask`.
 */
export function rowsOf(table, query, first, count, ask) {
  if (isWhole(table)) {
    const places = chosen(table, query);
    return { found: places.length, places: places.slice(first, first + count), rows: table.rows, columns: table.columns };
  }
  if (query.by < 0 && !query.words && first + count <= table.rows.length) {
    const places = [...table.rows.keys()].slice(first, first + count);
    return { found: table.total, places, rows: table.rows, columns: table.columns };
  }
  return ask({ ...query, first, count }).then((answer) => answer && { ...answer, places: [...answer.rows.keys()] });
}
