/**
 * Maximum bytes of workspaces per page. A reply between services is limited to 1 MiB, and one
 * workspace takes at most 400 KB, for a prompt of 100,000 characters and its members.
 */
const maxBytes = 600_000;
/** Rows read for one page. */
export const maxRead = 1_000;

/**
 * Cuts rows to what fits into one reply, but at least one. Fewer rows than `asked` mean the end of
 * the list. `next` is the `after` of the next page.
 */
export function cutPage<Row extends { id: number }>(
  rows: readonly Row[],
  asked: number,
): { workspaces: Row[]; next: number | null } {
  let bytes = 0;
  const fitting = rows.findIndex(
    (row, index) => (bytes += Buffer.byteLength(JSON.stringify(row))) > maxBytes && index > 0,
  );
  const workspaces = fitting < 0 ? [...rows] : rows.slice(0, fitting);
  return {
    workspaces,
    next: fitting < 0 && rows.length < asked ? null : (workspaces.at(-1)?.id ?? null),
  };
}
