/** Spreadsheets treat text that begins like this as a formula, some even after white space. */
const formula = /^[\s\p{Cc}\p{Cf}]*[=+\-−@＝＋－＠]|^[\t\r]/u;

/** With an apostrophe in front, spreadsheets show a formula as text. */
export const disarmFormula = (text: string): string => (formula.test(text) ? `'${text}` : text);

export const quoteCell = (text: string): string => `"${text.replaceAll('"', '""')}"`;

function writeCell(value: string | number): string {
  if (typeof value === "number") return String(value);
  const text = disarmFormula(value);
  return /[",\r\n]/.test(text) ? quoteCell(text) : text;
}

export const writeCsvLine = (cells: readonly (string | number)[]): string =>
  `${cells.map(writeCell).join(",")}\r\n`;
