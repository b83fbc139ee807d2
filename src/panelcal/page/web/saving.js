// Handing files to the reader: the browser saves them where it saves what is downloaded.

const WORKBOOK = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

export function hand(bytes, name) {
  const place = URL.createObjectURL(new Blob([bytes], { type: WORKBOOK }));
  const link = document.createElement("a");
  link.href = place;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(place), 60000);
}

/** What was filled in, as the bridge takes it. */
export function filledIn(decisions) {
  return [...decisions].map(([key, text]) => {
    const [sheet, table, column, row] = JSON.parse(key);
    return { sheet, table, column, row, text };
  });
}

/** This computer's date and time, "2026-11-21T10:15:00". */
export function moment() {
  const now = new Date();
  return new Date(now - now.getTimezoneOffset() * 60000).toISOString().slice(0, 19);
}
