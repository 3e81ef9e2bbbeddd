/** Longer cells, in characters, are sentences rather than names of columns. */
const longestName = 40;

/**
 * Whether the first row of a table without header cells names the columns. Word and many web pages
 * don't mark header rows. Two columns are more likely names and values, row by row. The rows must be
 * equally long, without cells that span columns.
 */
export function firstRowNamesColumns<Cell>(
  rows: readonly (readonly Cell[])[],
  textOf: (cell: Cell) => string,
  isBold: (cell: Cell) => boolean,
): boolean {
  const [header, ...values] = rows;
  if (header === undefined || header.length < 3 || values.length < 2) return false;
  if (values.some((cells) => cells.length !== header.length)) return false;
  const names = header.map(textOf);
  if (new Set(names).size < names.length) return false;
  if (!names.every((name) => name.length <= longestName && /^[^\p{N}\n]+$/u.test(name)))
    return false;
  const hasNumbers = header.some((_, column) =>
    values.every((cells) => /\p{N}/u.test(textOf(cells[column]!))),
  );
  return hasNumbers || (header.every(isBold) && !values.some((cells) => cells.every(isBold)));
}
