import { expect, it } from "@jest/globals";
import type { Table } from "@lancedb/lancedb";
import { ChangeFollower } from "./change-follower.ts";
import type { ChangeLog } from "./change-log.ts";

it("is idle once no read of the table is running, so that it can be closed", async () => {
  const version = Promise.withResolvers<number>();
  const table = { version: () => version.promise } as unknown as Table;
  const log = { end: () => Promise.resolve({ file: 0, offset: 0 }) } as unknown as ChangeLog;
  const follower = new ChangeFollower(log, {
    changed: () => Promise.resolve(),
    lost: () => undefined,
  });
  const following = follower.follow(table);
  const order: string[] = [];
  const idle = follower.idle().then(() => order.push("idle"));
  await Promise.resolve();
  order.push("read");
  version.resolve(7);
  await Promise.all([following, idle]);
  expect(order).toEqual(["read", "idle"]);
});
