import { listFileThreads, threadDeleted } from "@carrel/contracts";
import { createDataSource, migrate } from "@carrel/database";
import type { RequestClient } from "@carrel/messaging";
import { testDatabase, waitFor } from "@carrel/testing";
import { expect, it } from "@jest/globals";
import { chatDatabase } from "../chat.database.ts";
import { FileOrphanReconciler } from "./deletion.module.ts";

it("reports deleted threads that still have files once a day", async () => {
  const database = await testDatabase();
  await migrate(database.url, chatDatabase);
  const dataSource = await createDataSource(database.url, chatDatabase, {
    poolSize: 2,
  }).initialize();
  try {
    const made = await dataSource.query<{ id: number }[]>(
      `INSERT INTO chat.thread (workspace_id, user_id, slug, name)
      SELECT 1, NULL, gen_random_uuid()::text, 'T'
      FROM generate_series(1, 3)
      RETURNING id`,
    );
    const living = made.map((row) => row.id);
    const gone = Array.from({ length: 1_500 }, (_, n) => 1_000_000 + n);
    let questions = 0;
    // Pages, like ingest returns them.
    const pages = [
      { threads: living.map((threadId) => ({ workspaceId: 1, threadId })), next: living.at(-1)! },
      {
        threads: [
          ...gone.map((threadId) => ({ workspaceId: 1, threadId })),
          { workspaceId: 2, threadId: 2_000_000 },
        ],
        next: null,
      },
    ];
    const requests = {
      request: (operation: unknown, { after }: { after: number }) => {
        expect(operation).toBe(listFileThreads);
        questions += 1;
        return Promise.resolve(pages[after === 0 ? 0 : 1]);
      },
    } as unknown as RequestClient;
    const reconciler = new FileOrphanReconciler(dataSource, requests);
    for (let round = 0; round < 5; round += 1) expect(await reconciler.due()).toEqual([]);
    expect(questions).toBe(0);
    const reported = await waitFor(async () => {
      const due = await reconciler.due();
      return due.length > 0 ? due : null;
    });
    for (let round = 0; round < 1_400; round += 1) expect(await reconciler.due()).toEqual([]);
    expect(questions).toBe(2);
    expect(
      reported.map((message) =>
        message.kind === "event"
          ? [
              message.event.name,
              (message.payload as { workspaceId: number; threadIds: number[] }).workspaceId,
              (message.payload as { threadIds: number[] }).threadIds.length,
            ]
          : message,
      ),
    ).toEqual([
      [threadDeleted.name, 1, 1_000],
      [threadDeleted.name, 1, 500],
      [threadDeleted.name, 2, 1],
    ]);
  } finally {
    await dataSource.destroy();
    await database.drop();
  }
});
