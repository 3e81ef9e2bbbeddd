import { findMissingUsers, userDeleted } from "@carrel/contracts";
import { createDataSource, migrate } from "@carrel/database";
import { eventMessage, type RequestClient } from "@carrel/messaging";
import { testDatabase, waitFor } from "@carrel/testing";
import { expect, it } from "@jest/globals";
import type { BlobSweeper } from "../blob/blob-sweeper.ts";
import { ingestDatabase } from "../ingest.database.ts";
import { UserOrphanReconciler } from "./parsed-file.module.ts";
import { ParsedFileRepository } from "./parsed-file.repository.ts";

it("reports the deletion of users with files that auth no longer has", async () => {
  const database = await testDatabase();
  await migrate(database.url, ingestDatabase);
  const dataSource = await createDataSource(database.url, ingestDatabase, {
    poolSize: 2,
  }).initialize();
  try {
    // The documents of the files don't matter here.
    await dataSource.query(
      `ALTER TABLE ingest.parsed_file DISABLE TRIGGER ALL;
      INSERT INTO ingest.parsed_file (workspace_id, user_id, thread_id, document_id)
        SELECT 1, u, 1, gen_random_uuid() FROM unnest(ARRAY[7, 8, 8, NULL]) u`,
    );
    const requests = {
      request: (operation: unknown, { ids }: { ids: number[] }) => {
        expect(operation).toBe(findMissingUsers);
        expect(ids).toEqual([7, 8]);
        return Promise.resolve({ ids: [8] });
      },
    } as unknown as RequestClient;
    const files = new ParsedFileRepository(dataSource, {} as BlobSweeper);
    const reconciler = new UserOrphanReconciler(files, requests);
    const messages = await waitFor(async () => {
      const due = await reconciler.due();
      return due.length > 0 ? due : null;
    });
    expect(messages).toEqual([eventMessage(userDeleted, { userId: 8 })]);
  } finally {
    await dataSource.destroy();
    await database.drop();
  }
});
