import type { Query, Table } from "@lancedb/lancedb";

/** Holds the whole-row reads that loads make, until released. */
export async function holdReads(
  table: Table,
): Promise<{ count: () => number; release: () => void }> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let count = 0;
  const query = table.query.bind(table);
  table.query = () => {
    const made = query();
    const select = made.select.bind(made);
    made.select = (columns) => {
      const selected = select(columns) as Query;
      if (Array.isArray(columns) && columns.includes("document_id")) {
        count++;
        const iterate = selected[Symbol.asyncIterator].bind(selected);
        selected[Symbol.asyncIterator] = () => {
          const batches = iterate();
          return { next: () => promise.then(() => batches.next()) };
        };
      }
      return selected as ReturnType<typeof made.select>;
    };
    return made;
  };
  return { count: () => count, release: resolve };
}
