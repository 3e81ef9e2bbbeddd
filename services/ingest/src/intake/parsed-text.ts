import { preparedQuery } from "@carrel/database";
import type { EntityManager } from "typeorm";
import type { PreparedText } from "../work-pool/work.ts";

type StoredText = { id: string; text: PreparedText };

/** Of documents that were read before: a new text may be shorter. */
export async function dropTexts(
  manager: EntityManager,
  documents: { id: string; version: number }[],
): Promise<void> {
  const ids = documents.filter(({ version }) => version > 1).map(({ id }) => id);
  if (ids.length === 0) return;
  for (const table of ["document_text", "document_page"])
    await manager.query(`DELETE FROM ingest.${table} WHERE document_id = ANY($1::uuid[])`, [ids]);
}

/**
 * In batches, so that no statement exceeds a few megabytes. The texts are JSON because the driver
 * takes twenty times as long to quote them in an array, on the main thread: 1.5 s for 2 MB of
 * quotation marks on a busy machine.
 */
export async function storeTexts(manager: EntityManager, documents: StoredText[]): Promise<void> {
  const all = documents.flatMap(({ id, text }) => text.parts.map((part) => ({ id, part })));
  for (let i = 0; i < all.length; i += 64) {
    const some = all.slice(i, i + 64);
    await preparedQuery(
      manager.queryRunner!,
      "store texts",
      `INSERT INTO ingest.document_text (document_id, start, "end", text)
      SELECT *
      FROM unnest(
        $1::uuid[], $2::int[], $3::int[], ARRAY(SELECT json_array_elements_text($4::json))
      )
      ON CONFLICT (document_id, start) DO UPDATE SET "end" = excluded."end", text = excluded.text`,
      [
        some.map(({ id }) => id),
        some.map(({ part }) => part.start),
        some.map(({ part }) => part.start + part.text.length),
        JSON.stringify(some.map(({ part }) => part.text)),
      ],
    );
  }
}

export async function storePages(manager: EntityManager, documents: StoredText[]): Promise<void> {
  const all = documents.flatMap(({ id, text }) => text.pages.map((page) => ({ id, page })));
  for (let i = 0; i < all.length; i += 200) {
    const some = all.slice(i, i + 200);
    await manager.query(
      `INSERT INTO ingest.document_page (document_id, page, start, "end", width, height, runs)
      SELECT *
      FROM unnest($1::uuid[], $2::int[], $3::int[], $4::int[], $5::real[], $6::real[], $7::bytea[])
      ON CONFLICT (document_id, page) DO UPDATE SET start = excluded.start, "end" = excluded."end",
        runs = excluded.runs`,
      [
        some.map(({ id }) => id),
        some.map(({ page }) => page.page),
        some.map(({ page }) => page.start),
        some.map(({ page }) => page.end),
        some.map(({ page }) => page.width),
        some.map(({ page }) => page.height),
        some.map(({ page: { runs } }) =>
          Buffer.from(runs.buffer, runs.byteOffset, runs.byteLength),
        ),
      ],
    );
  }
}
