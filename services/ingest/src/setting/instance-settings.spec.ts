import { randomBytes } from "node:crypto";
import { SecretBox } from "@carrel/database";
import type { Broadcast, RequestClient } from "@carrel/messaging";
import { expect, it } from "@jest/globals";
import { InstanceSettings } from "./instance-settings.ts";

it("reads the settings again if they change while they are read", async () => {
  const replies: ((name: string) => void)[] = [];
  let changed = (): void => undefined;
  const settings = new InstanceSettings(
    {
      request: () =>
        new Promise((reply) => {
          replies.push((name) => reply({ values: { name }, secrets: {}, version: 1 }));
        }),
    } as unknown as RequestClient,
    new SecretBox(randomBytes(32)),
    {
      on: (_name: string, listener: () => void) => {
        changed = listener;
        return () => undefined;
      },
      onGap: () => () => undefined,
    } as unknown as Broadcast,
  );
  const early = settings.get();
  changed();
  replies[0]!("old");
  expect(await early).toEqual({ name: "old" });
  const late = settings.get();
  expect(replies).toHaveLength(2);
  replies[1]!("new");
  expect(await late).toEqual({ name: "new" });
  expect(await settings.get()).toEqual({ name: "new" });
  expect(replies).toHaveLength(2);
});
