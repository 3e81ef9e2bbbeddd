import { randomUUID } from "node:crypto";
import { loadConfig, instanceShape } from "@carrel/config";
import { servicePrincipal } from "@carrel/contracts";
import { createDataSource, migrate } from "@carrel/database";
import type { Outbox } from "@carrel/messaging";
import { testDatabase, type TestDatabase } from "@carrel/testing";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import type { DataSource } from "typeorm";
import type { BlobSweeper } from "../blob/blob-sweeper.ts";
import { Document } from "../document/document.entity.ts";
import { WorkspaceDocument } from "../document/workspace-document.entity.ts";
import { WorkspaceDocumentRepository } from "../document/workspace-document.repository.ts";
import type { DocumentPublisher } from "../index/document-publisher.ts";
import type { IndexWriter } from "../index/index-writer.ts";
import { ingestShape } from "../ingest.config.ts";
import { ingestDatabase } from "../ingest.database.ts";
import { ParseOutcome, type ParsedWriter } from "./parse-outcome.ts";
import { ParsingRepository } from "./parsing.repository.ts";

const scope = { principal: servicePrincipal, workspace: null };
const reason = { code: "file.parsing-too-slow", params: { seconds: 180 } } as const;

let database: TestDatabase;
let source: DataSource;
let parsing: ParsingRepository;
let outcome: ParseOutcome;
const dropped: string[] = [];
beforeAll(async () => {
  database = await testDatabase();
  await migrate(database.url, ingestDatabase);
  source = await createDataSource(database.url, ingestDatabase, { poolSize: 2 }).initialize();
  const config = loadConfig(
    { ...instanceShape, ...ingestShape },
    {
      DATABASE_URL: database.url,
      REDIS_URL: "redis://:unused@unused.invalid",
      CARREL_SECRET: "a secret for tests that is long enough",
    },
  );
  parsing = new ParsingRepository(config, source, {} as Outbox);
  const sweeper: Partial<BlobSweeper> = {
    note: (_manager, keys) => Promise.resolve(void dropped.push(...keys)),
    soon: () => undefined,
  };
  outcome = new ParseOutcome(
    source,
    parsing,
    new WorkspaceDocumentRepository(source),
    {} as IndexWriter,
    {} as DocumentPublisher,
    {} as ParsedWriter,
    sweeper as BlobSweeper,
  );
});
afterAll(async () => {
  await source?.destroy();
  await database?.drop();
});

/** A document whose parse two runs have claimed, and its workspace document. */
async function claimTwice(): Promise<{ older: Document; newer: Document; linkId: number }> {
  const id = randomUUID();
  await source.query(
    `INSERT INTO ingest.document (
      id, docpath, folder, filename, title, url, doc_author, description, doc_source, chunk_source,
      published, mime, bytes, sha256, state, blob_key
    )
    VALUES (
      $1::uuid, ($1::uuid)::text, '', '', '', '', '', '', '', '', '', '', 0, '', 'queued',
      ($1::uuid)::text
    )`,
    [id],
  );
  const link = { workspaceId: 1, documentId: id, state: "queued" } as const;
  const { id: linkId } = await source.manager.save(WorkspaceDocument, link);
  const { document: older } = (await parsing.claim(scope, id, 1))!;
  const { document: newer } = (await parsing.claim(scope, id, 1))!;
  return { older, newer, linkId };
}
const stateOf = async (linkId: number): Promise<unknown> =>
  (await source.manager.findOneByOrFail(WorkspaceDocument, { id: linkId })).state;

it("fails a document, also in its workspaces", async () => {
  const { newer, linkId } = await claimTwice();
  expect(await outcome.fail(newer, reason, false)).toBe(true);
  expect(await stateOf(linkId)).toBe("failed");
  expect(dropped).toContain(newer.id);
});

it("leaves a document alone that another run holds or has parsed", async () => {
  const { older, newer, linkId } = await claimTwice();
  expect(await outcome.fail(older, reason, false)).toBe(false);
  expect(await stateOf(linkId)).toBe("queued");
  // Its text is stored, and its workspaces wait for their index jobs.
  await source.manager.update(Document, { id: newer.id }, { state: "parsed" });
  for (const run of [older, newer]) expect(await outcome.fail(run, reason, false)).toBe(false);
  expect(await stateOf(linkId)).toBe("queued");
  expect(dropped).not.toContain(newer.id);
});
