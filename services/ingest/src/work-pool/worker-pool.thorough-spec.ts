import { poll } from "@carrel/testing";
import { afterEach, expect, it } from "@jest/globals";
import { endless, makePool, parseOne, stopPools, task, timeoutMs } from "../../test/test-pools.ts";

afterEach(stopPools);

// Five endless files at once; `end-long-task.spec.ts` tests which of them ends.
it(
  "leaves one of a person's long documents a place, once others wait",
  async () => {
    const pool = makePool({ seconds: 900, megabytes: 2048 });
    const ended: string[] = [];
    const parseEndless = (owner: string): Promise<unknown> =>
      pool.parse(endless(), { owner }).then(
        () => ended.push(owner),
        () => null,
      );
    // They just fill the regular and extra threads, so none has to end yet.
    const running = ["anna", "anna"].map(parseEndless);
    running.push(parseEndless("bob"));
    const next = await pool.parse(task("next.txt", "Still here."), { owner: "cleo" });
    expect(next).toMatchObject({ texts: [{ text: { textLength: 11 } }] });
    running.push(parseEndless("dora"), parseEndless("emil"));
    await poll(() => ended, { timeoutMs }).toContain("anna");
    await parseOne(pool, "last.txt", "Still here.");
    // However many tasks other owners have.
    expect(ended.filter((owner) => owner === "anna")).toHaveLength(1);
    await pool.onApplicationShutdown();
    await Promise.all(running);
  },
  timeoutMs,
);
