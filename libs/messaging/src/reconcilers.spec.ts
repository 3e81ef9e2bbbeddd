import { workspaceDeleted } from "@carrel/contracts";
import { expect, it } from "@jest/globals";
import { eventMessage, type OutboxMessage } from "./outbox.ts";
import { OrphanReconciler } from "./reconcilers.ts";

/** Has data for the rows `held`, of which the owner still has `living`. */
class HeldReconciler extends OrphanReconciler {
  comparisons = 0;
  constructor(
    private readonly held: number[],
    private readonly living: ReadonlySet<number>,
  ) {
    super();
  }
  protected override listIds(after: number, limit: number): Promise<number[]> {
    return Promise.resolve(this.held.filter((id) => id > after).slice(0, limit));
  }
  protected override findMissing(ids: number[]): Promise<number[]> {
    this.comparisons += 1;
    return Promise.resolve(ids.filter((id) => !this.living.has(id)));
  }
  protected override deletionOf(workspaceId: number): OutboxMessage {
    return eventMessage(workspaceDeleted, { workspaceId });
  }
  override compare(): Promise<OutboxMessage[]> {
    return super.compare();
  }
}

it("deletes only missing rows, across pages", async () => {
  const held = Array.from({ length: 10_005 }, (_, index) => index + 1);
  const living = new Set(held.filter((id) => id !== 3 && id !== 10_004));
  const reconciler = new HeldReconciler(held, living);
  expect(await reconciler.compare()).toEqual(
    [3, 10_004].map((workspaceId) => eventMessage(workspaceDeleted, { workspaceId })),
  );
  expect(reconciler.comparisons).toBe(2);
  expect(await new HeldReconciler([], new Set()).compare()).toEqual([]);
});

it("skips the first rounds after a start, then compares once a day", async () => {
  const reconciler = new HeldReconciler([1], new Set());
  for (let round = 0; round < 5; round += 1) expect(await reconciler.due()).toEqual([]);
  expect(reconciler.comparisons).toBe(0);
  for (let round = 0; round < 1_400; round += 1) await reconciler.due();
  expect(reconciler.comparisons).toBe(1);
});
