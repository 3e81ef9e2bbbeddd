import type { Scope, WorkspaceScope } from "@carrel/contracts";
import { preparedQuery } from "@carrel/database";
import type { EntityManager } from "typeorm";
import type { PreparedChunk } from "../work-pool/work.ts";
import { buildChunkId } from "./chunk-id.ts";

const chunksPerInsert = 5_000;

/** A version of a workspace document with its chunks. */
interface Publication {
  w: { id: number; workspaceId: number; version: number };
  chunks: PreparedChunk[];
}

/** Deletes the chunks of every version of a workspace document. */
export async function deleteChunks(
  scope: WorkspaceScope,
  manager: EntityManager,
  workspaceDocumentId: number,
): Promise<void> {
  await manager.query(
    `DELETE FROM ingest.chunk WHERE workspace_id = $1 AND workspace_document_id = $2`,
    [scope.workspace.id, workspaceDocumentId],
  );
}

/** Stores the chunks of newly published versions of workspace documents. */
export async function createChunks(
  _scope: Scope,
  manager: EntityManager,
  publications: Publication[],
): Promise<void> {
  const rows = publications.flatMap(({ w, chunks }) =>
    chunks.map((chunk, ordinal) => ({ w, chunk, ordinal })),
  );
  for (let at = 0; at < rows.length; at += chunksPerInsert) {
    const batch = rows.slice(at, at + chunksPerInsert);
    await preparedQuery(
      manager.queryRunner!,
      "store chunks",
      `INSERT INTO ingest.chunk (
        workspace_document_id, workspace_id, version, id, ordinal, start, "end", page,
        heading_path, content_hash
      )
      SELECT *
      FROM unnest(
        $1::int[], $2::int[], $3::int[], $4::uuid[], $5::int[], $6::int[], $7::int[], $8::int[],
        ARRAY(SELECT jsonb_array_elements($9::jsonb)), $10::bytea[]
      )`,
      [
        batch.map(({ w }) => w.id),
        batch.map(({ w }) => w.workspaceId),
        batch.map(({ w }) => w.version),
        batch.map(({ w, ordinal }) => buildChunkId(w.id, w.version, ordinal)),
        batch.map(({ ordinal }) => ordinal),
        batch.map(({ chunk }) => chunk.start),
        batch.map(({ chunk }) => chunk.end),
        batch.map(({ chunk }) => chunk.page),
        // Sent as one value: the driver takes long to quote an array's texts.
        JSON.stringify(batch.map(({ chunk }) => chunk.headingPath)),
        batch.map(({ chunk }) => chunk.contentHash),
      ],
    );
  }
}
