import { documentAccessChanged, type Scope } from "@carrel/contracts";
import type { Broadcast, RequestClient } from "@carrel/messaging";
import { expect, it } from "@jest/globals";
import { HistoryPages } from "./history.routes.ts";

const scope: Scope = { principal: { kind: "user", userId: 1, role: "default" }, workspace: null };

it("keeps no page that was built before who may see documents changed", async () => {
  const asked: unknown[] = [];
  let whileBuilding = (): void => undefined;
  const requests = {
    request: (_operation: unknown, { knownVersion }: { knownVersion: string | null }) => {
      asked.push(knownVersion);
      whileBuilding();
      const page = knownVersion === null ? { items: "{}", hasImages: false, next: null } : null;
      return Promise.resolve({ version: "1", page });
    },
  } as unknown as RequestClient;
  const listeners = new Map<string, () => void>();
  const broadcast = {
    on: (channel: string, listener: () => void) => listeners.set(channel, listener),
    onGap: () => undefined,
  } as unknown as Broadcast;
  const pages = new HistoryPages(requests, broadcast);

  whileBuilding = listeners.get(`event:${documentAccessChanged.name}`)!;
  await pages.read(scope, null);
  whileBuilding = () => undefined;
  await pages.read(scope, null);
  expect(await pages.read(scope, null)).toEqual({ items: "{}", hasImages: false });
  expect(asked).toEqual([null, null, "1"]);
});
