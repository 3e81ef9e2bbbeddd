import { findMissingUsers, userDeleted } from "@carrel/contracts";
import { createDataSource, migrate } from "@carrel/database";
import { eventMessage, type RequestClient } from "@carrel/messaging";
import { testDatabase, waitFor } from "@carrel/testing";
import { expect, it } from "@jest/globals";
import { chatDatabase } from "../chat.database.ts";
import { UserOrphanReconciler } from "./deletion.module.ts";
import { DeletionRepository } from "./deletion.repository.ts";

it("reports the deletion of users that auth no longer has", async () => {
  const database = await testDatabase();
  await migrate(database.url, chatDatabase);
  const dataSource = await createDataSource(database.url, chatDatabase, {
    poolSize: 2,
  }).initialize();
  try {
    await dataSource.query(
      `WITH shared AS (
        INSERT INTO chat.thread (workspace_id, user_id, slug, name)
        VALUES (1, 3, 'a', 'A'), (1, NULL, 'b', 'B')
        RETURNING id, user_id
      )
      INSERT INTO chat.turn (thread_id, workspace_id, user_id, question, state)
      SELECT id, 1, 4, 'Why?', 'done'
      FROM shared
      WHERE user_id IS NULL`,
    );
    await dataSource.query(
      "INSERT INTO chat.memory (user_id, workspace_id, content) VALUES (5, NULL, 'Likes tea.')",
    );
    await dataSource.query("INSERT INTO chat.question (user_id) VALUES (6)");
    const asked: number[][] = [];
    const requests = {
      request: (operation: unknown, { ids }: { ids: number[] }) => {
        expect(operation).toBe(findMissingUsers);
        asked.push(ids);
        return Promise.resolve({ ids: ids.filter((id) => id !== 3) });
      },
    } as unknown as RequestClient;
    const reconciler = new UserOrphanReconciler(new DeletionRepository(dataSource), requests);
    const messages = await waitFor(async () => {
      const due = await reconciler.due();
      return due.length > 0 ? due : null;
    });
    expect(asked).toEqual([[3, 4, 5, 6]]);
    expect(messages).toEqual([4, 5, 6].map((userId) => eventMessage(userDeleted, { userId })));
  } finally {
    await dataSource.destroy();
    await database.drop();
  }
});
