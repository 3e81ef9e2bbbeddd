/** Spreadsheets take text that begins like this for a formula. */
const formula = /^[=+\-@\t\r]/;

/** With an apostrophe in front, spreadsheets show a formula as text. */
export const disarmFormula = (text: string): string => (formula.test(text) ? `'${text}` : text);

export const quoteCell = (text: string): string => `"${text.replaceAll('"', '""')}"`;
