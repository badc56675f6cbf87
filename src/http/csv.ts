type Cell = string | number | boolean | null | undefined;

/** One line of CSV (RFC 4180). */
export function csvLine(cells: Cell[]): string {
  return `${cells.map((cell) => cellText(String(cell ?? ''))).join(',')}\r\n`;
}

/** Where spreadsheets begin a formula: after spaces, tabs and line breaks, and for some with signs of full width. */
const formulaStart = /^(?:[\t\r\n]|\s*[=+\-@＝＋－＠])/;

/** A text that a spreadsheet would calculate gets a quote in front: strangers choose their user agents. */
function cellText(text: string): string {
  const safe = formulaStart.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
