// Figures as the sheets show them: a style of the Report -> text.

const minus = (text) => text.replace("-", "\u2212");

// What is shown as zero has no sign.
const unsigned = (value, places) => (Number(value.toFixed(places)) === 0 ? (0).toFixed(places) : minus(value.toFixed(places)));

export function shown(value, style) {
  if (value === null || value === undefined) return "";
  if (typeof value === "boolean") return value ? "TRUE" : "FALSE";
  if (typeof value !== "number") return String(value);
  switch (style) {
    case "score":
      return unsigned(value, 1);
    case "signed": {
      const text = value.toFixed(1);
      return Number(text) === 0 ? "0.0" : minus(value > 0 ? `+${text}` : text);
    }
    case "precise":
      return unsigned(value, 2);
    case "fine":
      return minus(value.toFixed(3));
    case "p value":
      return value < 0.001 ? "<0.001" : value.toFixed(3);
    case "large":
      return minus(Math.round(value).toLocaleString("en-GB"));
    case "scientific":
      return minus(value.toExponential(1));
    case "integer":
      return minus(value.toFixed(0));
    case "places": {
      const text = value.toFixed(0);
      return minus(Number(text) > 0 ? `+${text}` : text);
    }
    case "percent":
      return `${(100 * value).toFixed(0)}%`;
    default:
      return minus(String(Number.isInteger(value) ? value : Number(value.toPrecision(6))));
  }
}

export const counted = (count, one, several = `${one}s`) => `${count.toLocaleString("en-GB")} ${count === 1 ? one : several}`;
