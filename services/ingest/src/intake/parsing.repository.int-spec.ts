import { randomUUID } from "node:crypto";
import { loadConfig, instanceShape } from "@carrel/config";
import { servicePrincipal } from "@carrel/contracts";
import { createDataSource, migrate } from "@carrel/database";
import type { Outbox } from "@carrel/messaging";
import { testDatabase, type TestDatabase } from "@carrel/testing";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import type { DataSource } from "typeorm";
import { ingestShape } from "../ingest.config.ts";
import { ingestDatabase } from "../ingest.database.ts";
import { ParsingRepository } from "./parsing.repository.ts";

const scope = { principal: servicePrincipal, workspace: null };

let database: TestDatabase;
let source: DataSource;
let parsing: ParsingRepository;
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
});
afterAll(async () => {
  await source?.destroy();
  await database?.drop();
});

async function addDocument(version: number): Promise<string> {
  const id = randomUUID();
  await source.query(
    `INSERT INTO ingest.document (
      id, docpath, folder, filename, title, url, doc_author, description, doc_source, chunk_source,
      published, mime, bytes, sha256, state, version
    )
    VALUES (
      $1::uuid, ($1::uuid)::text, '', '', '', '', '', '', '', '', '', '', 0, '', 'queued', $2
    )`,
    [id, version],
  );
  return id;
}

it("gives a document claimed in a group to the job of its version", async () => {
  const [retried, other] = [await addDocument(2), await addDocument(1)];
  const claims = await Promise.all([
    parsing.claim(scope, retried, 1),
    parsing.claim(scope, retried, 2),
    parsing.claim(scope, retried, 2),
    parsing.claim(scope, other, 1),
  ]);
  expect(claims.map((claim) => claim && [claim.document.id, claim.document.version])).toEqual([
    null,
    [retried, 2],
    null,
    [other, 1],
  ]);
  expect(claims[1]!.document.run).toBe(1);
});

it("tells each run of a group whether it still holds its document", async () => {
  const id = await addDocument(1);
  const first = (await parsing.claim(scope, id, 1))!.document;
  const second = (await parsing.claim(scope, id, 1))!.document;
  expect(await Promise.all([parsing.holds(scope, first), parsing.holds(scope, second)])).toEqual([
    false,
    true,
  ]);
});
