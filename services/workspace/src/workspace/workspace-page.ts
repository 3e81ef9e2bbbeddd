/**
 * A reply between services holds 1 MiB; one workspace has 400 KB at most, a prompt of 100,000
 * characters and its members.
 */
const mostBytes = 600_000;
/** Rows that are read for one page. */
export const mostRead = 1_000;

/**
 * As many as one reply holds, at least one. `asked` rows were asked for: fewer are the last ones.
 * `next` is the `after` of the next page.
 */
export function cutPage<Row extends { id: number }>(
  rows: readonly Row[],
  asked: number,
): { workspaces: Row[]; next: number | null } {
  let bytes = 0;
  const fitting = rows.findIndex(
    (row, index) => (bytes += Buffer.byteLength(JSON.stringify(row))) > mostBytes && index > 0,
  );
  const workspaces = fitting < 0 ? [...rows] : rows.slice(0, fitting);
  return {
    workspaces,
    next: fitting < 0 && rows.length < asked ? null : (workspaces.at(-1)?.id ?? null),
  };
}
