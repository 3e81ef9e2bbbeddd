import { randomUUID } from "node:crypto";
import { servicePrincipal } from "@carrel/contracts";
import { createDataSource, migrate } from "@carrel/database";
import { testDatabase, type TestDatabase } from "@carrel/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { DataSource } from "typeorm";
import { WorkspaceDocument } from "../document/workspace-document.entity.ts";
import { ingestDatabase } from "../ingest.database.ts";
import { IndexingRepository } from "./indexing.repository.ts";
import { PostponementRepository } from "./postponement.repository.ts";

const scope = { principal: servicePrincipal, workspace: null };

describe("a row that is being indexed or embedded", () => {
  let database: TestDatabase;
  let source: DataSource;
  let indexing: IndexingRepository;
  let postponements: PostponementRepository;
  let documentId: string;
  beforeAll(async () => {
    database = await testDatabase();
    await migrate(database.url, ingestDatabase);
    source = await createDataSource(database.url, ingestDatabase, { poolSize: 2 }).initialize();
    indexing = new IndexingRepository(source);
    postponements = new PostponementRepository(source);
  });
  beforeEach(async () => {
    documentId = randomUUID();
    await source.query(
      `INSERT INTO ingest.document (
        id, docpath, folder, filename, title, url, doc_author, description, doc_source,
        chunk_source, published, mime, bytes, sha256, state
      )
      VALUES ($1::uuid, ($1::uuid)::text, '', '', '', '', '', '', '', '', '', '', 0, '', 'parsed')`,
      [documentId],
    );
  });
  afterAll(async () => {
    await source?.destroy();
    await database?.drop();
  });

  const add = async (
    workspaceId: number,
    values: Partial<WorkspaceDocument>,
  ): Promise<WorkspaceDocument> => {
    const { id } = await source.manager.save(WorkspaceDocument, {
      workspaceId,
      documentId,
      state: "searchable",
      indexVersion: 1,
      ...values,
    });
    return source.manager.findOneByOrFail(WorkspaceDocument, { id });
  };
  const read = (id: number): Promise<WorkspaceDocument> =>
    source.manager.findOneByOrFail(WorkspaceDocument, { id });

  it("is changed only by the run that holds it", async () => {
    const { id } = await add(1, {});
    const { w: older } = (await indexing.claimDocument(scope, id, 1, "embedding"))!;
    const { w: newer } = (await indexing.claimDocument(scope, id, 1, "embedding"))!;
    const before = await read(id);
    expect(await indexing.renew(scope, older, "embedding")).toBe(false);
    expect(await indexing.noteProgress(scope, older, "embedding", 3, 4)).toBeNull();
    const reason = { code: "document.vectors-not-stored" } as const;
    expect(await postponements.postponeEmbedding(scope, older, reason, 1_000)).toBe(false);
    await indexing.release(scope, older);
    expect(await read(id)).toEqual(before);
    expect(await indexing.renew(scope, newer, "embedding")).toBe(true);
    expect(await indexing.noteProgress(scope, newer, "embedding", 3, 4)).toEqual({
      audienceId: null,
    });
    expect(await read(id)).toMatchObject({ chunksDone: 3, chunkCount: 4 });
    // The document may be restricted meanwhile, which its next progress frame keeps to.
    const [{ audienceId }] = await source.query<[{ audienceId: number }]>(
      `INSERT INTO ingest.audience (digest) VALUES ('nobody') RETURNING id AS "audienceId"`,
    );
    await source.query("UPDATE ingest.document SET audience_id = $2 WHERE id = $1", [
      documentId,
      audienceId,
    ]);
    expect(await indexing.noteProgress(scope, newer, "embedding", 4, 4)).toEqual({ audienceId });
  });

  it("fails only by the run that holds it", async () => {
    const { id } = await add(1, { state: "queued" });
    const { w: older } = (await indexing.claimDocument(scope, id, 1, "indexing"))!;
    const { w: newer } = (await indexing.claimDocument(scope, id, 1, "indexing"))!;
    const reason = { code: "document.not-indexed" } as const;
    expect(await indexing.fail(scope, older, reason)).toBe(false);
    expect(await read(id)).toMatchObject({ state: "indexing", reason: null });
    expect(await indexing.fail(scope, newer, reason)).toBe(true);
    expect(await read(id)).toMatchObject({ state: "failed", reason });
  });

  it("isn't changed by the run that held it, once it is in another state", async () => {
    const { id } = await add(1, {});
    const { w } = (await indexing.claimDocument(scope, id, 1, "embedding"))!;
    await source.manager.update(WorkspaceDocument, { id }, { state: "embedded", leaseUntil: null });
    const before = await read(id);
    expect(await indexing.renew(scope, w, "publishing")).toBe(false);
    expect(await indexing.noteProgress(scope, w, "publishing", 3, 4)).toBeNull();
    await indexing.release(scope, w);
    expect(await read(id)).toEqual(before);
  });

  it("is abandoned when no run holds it", async () => {
    const past = new Date(Date.now() - 1_000);
    const future = new Date(Date.now() + 60_000);
    const searchable = await add(1, {});
    const lapsed = await add(2, { state: "embedding", leaseUntil: past });
    await add(3, { state: "embedding", leaseUntil: future });
    await add(4, { retryAt: future });
    await add(5, { state: "embedded" });
    expect(await indexing.listAbandoned(scope, documentId)).toEqual(
      [searchable, lapsed].map(({ id, version, workspaceId }) => ({ id, version, workspaceId })),
    );
  });
});
