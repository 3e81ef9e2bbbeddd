import { expect, it } from "@jest/globals";
import { findMissingWorkspaces } from "@carrel/contracts";
import type { RequestClient } from "./request-client.ts";
import { WorkspaceOrphans } from "./workspace-orphans.ts";

/**
 * `held`: workspaces of which the service still has data; `living`: workspaces that still exist.
 */
const make = (held: number[], living: ReadonlySet<number>) => {
  let questions = 0;
  class Held extends WorkspaceOrphans {
    protected override listWorkspaceIds(after: number, limit: number): Promise<number[]> {
      return Promise.resolve(held.filter((id) => id > after).slice(0, limit));
    }
  }
  const requests = {
    request: async (operation: unknown, { ids }: { ids: number[] }) => {
      questions += 1;
      expect(operation).toBe(findMissingWorkspaces);
      return { ids: ids.filter((id) => !living.has(id)) };
    },
  } as unknown as RequestClient;
  return { reconciler: new Held(requests), questions: () => questions };
};

it("reports only deleted workspaces, across pages", async () => {
  const held = Array.from({ length: 10_005 }, (_, index) => index + 1);
  const living = new Set(held.filter((id) => id !== 3 && id !== 10_004));
  expect(await make(held, living).reconciler.compare()).toEqual([3, 10_004]);
  expect(await make([], new Set()).reconciler.compare()).toEqual([]);
});

it("skips the first rounds after a start, then compares once a day", async () => {
  const { reconciler, questions } = make([1], new Set());
  for (let round = 0; round < 5; round += 1) expect(await reconciler.due()).toEqual([]);
  expect(questions()).toBe(0);
  for (let round = 0; round < 1_400; round += 1) await reconciler.due();
  expect(questions()).toBe(1);
});
